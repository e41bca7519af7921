The Juggler
It goes out first and throws up decoys on the way back home so that the near ones are the freshest
>>>>>>>>
++++++<------<
++++++<------<
++++++<------<
++++++<------<
From home it goes out once more over its own stones to the cells beyond them
>>>>>>>>>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
[-------[-]]>
