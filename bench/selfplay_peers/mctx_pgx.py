"""Self-play of connect_four by mctx on pgx (JAX): Gumbel MuZero's root search on the true rules.

Runs in the peers' own environment, without sevenfold, and prints one line of JSON. Counted are evaluations of the net:
each move of each game in the batch costs one for the root and one for every simulation.
"""

import json
import os
import time
from typing import Any, NamedTuple

# Before JAX is loaded, which reads them once: one thread, as everybody in this comparison has.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import mctx
import pgx

CHANNELS, BLOCKS, POLICY, VALUE, HIDDEN = 64, 5, 8, 4, 64  # as sevenfold's preset laptop_large
BATCH, SIMULATIONS, MOVES = 64, 32, 10
WARM_UP = 2


class Norm(NamedTuple):
    """A batch normalisation as it is in play: what it has learned and seen, one number per channel."""

    scale: jax.Array
    bias: jax.Array
    mean: jax.Array
    variance: jax.Array


def weights(key: jax.Array, *shape: int) -> jax.Array:
    inputs = 1
    for size in shape[:-1]:
        inputs *= size
    return jax.random.normal(key, shape) * (2 / inputs) ** 0.5


def norm(channels: int) -> Norm:
    zeros, ones = jnp.zeros(channels), jnp.ones(channels)
    return Norm(ones, zeros, zeros, ones)


def make_net(planes: int, cells: int, actions: int) -> dict[str, Any]:
    keys = iter(jax.random.split(jax.random.PRNGKey(0), 100))

    def conv(size: int, inputs: int, outputs: int) -> tuple[jax.Array, Norm]:
        return weights(next(keys), size, size, inputs, outputs), norm(outputs)

    return {
        "stem": conv(3, planes, CHANNELS),
        "tower": [(conv(3, CHANNELS, CHANNELS), conv(3, CHANNELS, CHANNELS)) for _ in range(BLOCKS)],
        "policy": (conv(1, CHANNELS, POLICY), weights(next(keys), POLICY * cells, actions)),
        "value": (
            conv(1, CHANNELS, VALUE),
            weights(next(keys), VALUE * cells, HIDDEN),
            weights(next(keys), HIDDEN, 1),
        ),
    }


def layer(x: jax.Array, given: tuple[jax.Array, Norm]) -> jax.Array:
    kernel, n = given
    x = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return (x - n.mean) * jax.lax.rsqrt(n.variance + 1e-5) * n.scale + n.bias


def evaluate(net: dict[str, Any], x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Logits [N, actions] and values [N] of observations [N, H, W, C]."""
    x = jax.nn.relu(layer(x.astype(jnp.float32), net["stem"]))
    for first, second in net["tower"]:
        x = jax.nn.relu(x + layer(jax.nn.relu(layer(x, first)), second))
    conv, dense = net["policy"]
    logits = jax.nn.relu(layer(x, conv)).reshape(len(x), -1) @ dense
    conv, hidden, last = net["value"]
    value = jax.nn.relu(jax.nn.relu(layer(x, conv)).reshape(len(x), -1) @ hidden) @ last
    return logits, jnp.tanh(value[:, 0])


ENV = pgx.make("connect_four")


def legal_only(logits: jax.Array, state: Any) -> jax.Array:
    return jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)


def recurrent(net: Any, _: jax.Array, action: jax.Array, state: Any) -> tuple[mctx.RecurrentFnOutput, Any]:
    mover = state.current_player
    state = jax.vmap(ENV.step)(state, action)
    logits, value = evaluate(net, state.observation)
    reward = state.rewards[jnp.arange(len(mover)), mover]
    value = jnp.where(state.terminated, 0.0, value)
    discount = jnp.where(state.terminated, 0.0, -1.0)  # the value is the next player's, and games have two
    return mctx.RecurrentFnOutput(
        reward=reward, discount=discount, prior_logits=legal_only(logits, state), value=value
    ), state


@jax.jit
def move(net: Any, state: Any, key: jax.Array) -> Any:
    """Every game of the batch one move further; finished ones begin anew."""
    search_key, new_key = jax.random.split(key)
    logits, value = evaluate(net, state.observation)
    root = mctx.RootFnOutput(prior_logits=legal_only(logits, state), value=value, embedding=state)
    result = mctx.gumbel_muzero_policy(
        params=net,
        rng_key=search_key,
        root=root,
        recurrent_fn=recurrent,
        num_simulations=SIMULATIONS,
        invalid_actions=~state.legal_action_mask,
        max_num_considered_actions=7,
        qtransform=mctx.qtransform_completed_by_mix_value,
    )
    after = jax.vmap(ENV.step)(state, result.action)
    over = after.terminated
    fresh = jax.vmap(ENV.init)(jax.random.split(new_key, BATCH))

    def chosen(new: jax.Array, old: jax.Array) -> jax.Array:
        return jnp.where(over.reshape(-1, *[1] * (old.ndim - 1)), new, old)

    return jax.tree_util.tree_map(chosen, fresh, after)


def main() -> None:
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(ENV.init))(jax.random.split(key, BATCH))
    rows, cols, planes = state.observation.shape[1:]
    net = make_net(planes, rows * cols, ENV.num_actions)
    start = 0.0
    for number in range(WARM_UP + MOVES):
        if number == WARM_UP:
            jax.block_until_ready(state)
            start = time.process_time()
        key, use = jax.random.split(key)
        state = move(net, state, use)
    jax.block_until_ready(state)
    seconds = time.process_time() - start
    evaluations = MOVES * BATCH * (SIMULATIONS + 1)
    print(
        json.dumps(
            {
                "name": "mctx_pgx",
                "versions": {"jax": jax.__version__, "mctx": mctx.__version__, "pgx": pgx.__version__},
                "evaluations_per_second": evaluations / seconds,
                "moves_per_second": MOVES * BATCH / seconds,
                "evaluations": evaluations,
                "cpu_seconds": seconds,
                "batch": BATCH,
                "simulations": SIMULATIONS,
            }
        )
    )


if __name__ == "__main__":
    main()
