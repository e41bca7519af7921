The Ploughman
The smallest of the ten and the only one that never ends
It steps over the ground before its door
>>>>>>>>>>>>>
Then it clears each cell before it and sows a decoy there that takes long to wear down
It works as well on any length of field and needs to know none
-[>[-]-]
