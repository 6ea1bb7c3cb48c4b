#include <nanobind/nanobind.h>

#include "bind/bind.h"
#include "core/types.h"
#include "game/perft.h"

NB_MODULE(_core, m) {
  m.doc() = "The C++ core of sevenfold. Use it through the package: its names are not public.";
  nb::set_leak_warnings(false); // a state in a module's global outlives us at exit; tests look for real leaks
  m.attr("CHANCE") = sevenfold::CHANCE;
  m.attr("TERMINAL") = sevenfold::TERMINAL;
  m.attr("MAX_PLAYERS") = sevenfold::kMaxPlayers;
  m.attr("MAX_LEGAL") = sevenfold::kMaxLegal;
  m.attr("MAX_ACTIONS") = sevenfold::kMaxActions;
  m.attr("MAX_PLIES") = sevenfold::kMaxPlies;
  m.attr("MAX_PERFT_DEPTH") = sevenfold::kMaxPerftDepth;
  sevenfold::bind::bind_game(m);
  sevenfold::bind::bind_state(m);
  sevenfold::bind::bind_evaluation(m);
  sevenfold::bind::bind_search(m);
  sevenfold::bind::bind_belief(m);
  sevenfold::bind::bind_alphabeta(m);
  sevenfold::bind::bind_selfplay(m);
  sevenfold::bind::bind_rows_net(m);
  sevenfold::bind::bind_lockstep(m);
  sevenfold::bind::bind_rooms(m);
}
