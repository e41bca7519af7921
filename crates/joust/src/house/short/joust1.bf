The Hedger
It plants three pairs of single decoys on its way out
and costs a caller more time than itself
>+>->+>->+>->>>
Then it looks at every cell and begins with a short straight stroke
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
[----[-]]>
