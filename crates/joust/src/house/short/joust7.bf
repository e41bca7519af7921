The Shieldbearer
It raises its own flag first so that a counted blow falls short
++++++++++++++++++++
Then it goes out late and wears down what it finds
>>>>>>>>>
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
