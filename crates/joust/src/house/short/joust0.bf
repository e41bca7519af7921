The Lancer
It walks the least distance at which a flag can stand
>>>>>>>>>
Then it wears down every cell that it finds full and steps over what is empty
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
