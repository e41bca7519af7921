The Shieldbearer
It first raises its own flag almost as high as a flag can stand
A caller who strikes a counted blow misses the zero and walks on over the edge
and one who wears the flag down needs nearly twice as long
++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++
++++++++++++++++++++++++++
>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>
>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>
Then it wears down whatever it finds
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
