"""From a question about play to an answer: contests of policies, run and told in sections.

`contests` says what is played and plays it; a module a game says what its tallies mean; `sections`
holds numbers with a name each; `answers` and `tournaments` put them together for print.
"""
