The Doorkeeper
It lays a few decoys and sits down on the farthest of them
which is a tripwire and a slow fuse in one
>->->->->->-
It dozes until the fuse has burnt down or somebody has stepped on the wire
[......-]
Then it runs home and raises its flag while the caller is still busy with the decoys
<<<<<<
++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++
+++++++++++++++++++++
and answers with a walk to the other side and wears down what it finds
>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>
>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
[-]>
