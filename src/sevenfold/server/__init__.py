"""The page: a server on this machine, the games on it, and the searches behind them (docs/reference/server.md).

`wire` is what is said, `app` says it, `guard` stands at the door; `session` is one game with its variations, `store`
keeps it on disk, `host` has them all, `table` lets people and players move in one of them; `pool` hands searches to
processes, in which `worker` thinks; `runs` and `matches` are the training screen. Nothing here imports torch.
"""
