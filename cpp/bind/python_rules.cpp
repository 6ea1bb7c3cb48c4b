#include "bind/python_rules.h"
#include "bind/bind.h"
#include "core/text.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sevenfold::bind {
namespace {

// Copies the value of an attribute: containers all the way down, what cannot change is shared, and what two attributes
// share their copies share too.
class Cloner {
 public:
  explicit Cloner(const PythonClass& about) : about_(about) {}

  nb::object operator()(nb::handle value) {
    PyObject* v = value.ptr();
    if (v == Py_None || PyLong_CheckExact(v) || PyUnicode_CheckExact(v) || PyFloat_CheckExact(v) || PyBool_Check(v) ||
        PyBytes_CheckExact(v))
      return nb::borrow(value);
    if (nb::object copy = known(v); copy.is_valid()) return copy;
    const Nested nested;
    if (PyList_CheckExact(v)) return list(v);
    if (PyTuple_CheckExact(v)) return tuple(v);
    if (PyDict_CheckExact(v)) return dict(v);
    if (PySet_CheckExact(v)) return remember(v, nb::steal(PySet_New(v)));
    return remember(v, deep_copy(value));
  }

  nb::object remember(PyObject* original, nb::object copy) {
    if (!copy.is_valid()) nb::raise_python_error();
    copied_.emplace_back(nb::borrow(original), copy);
    if (memo_.is_valid()) memo_[id_of(original)] = copy;
    return copy;
  }

 private:
  // Python's own limit on nesting, so that an endless structure is an exception and not the end of the stack.
  struct Nested {
    Nested() {
      if (Py_EnterRecursiveCall(" while copying a position") != 0) nb::raise_python_error();
    }
    ~Nested() { Py_LeaveRecursiveCall(); }
  };

  nb::object known(PyObject* original) const {
    for (const auto& [from, copy] : copied_)
      if (from.ptr() == original) return copy;
    if (!memo_.is_valid()) return {};
    return nb::borrow(PyDict_GetItemWithError(memo_.ptr(), id_of(original).ptr()));
  }

  // An object of a class we do not know may hold what we have copied, or hold what we still meet: copy.deepcopy keeps
  // its own list of those by id, and shares it with us from the first such object on.
  nb::object deep_copy(nb::handle value) {
    if (!memo_.is_valid()) {
      memo_ = nb::dict();
      for (const auto& [from, copy] : copied_) memo_[id_of(from.ptr())] = copy;
    }
    return about_.clone(value, memo_);
  }

  static nb::object id_of(PyObject* object) { return nb::steal(PyLong_FromVoidPtr(object)); }

  nb::object list(PyObject* from) {
    nb::object out = remember(from, nb::steal(PyList_New(0)));
    // The size is asked anew each time: cloning an item may run the game's own code, which may change the list.
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(from); ++i) {
      const nb::object item = nb::borrow(PyList_GET_ITEM(from, i));
      if (PyList_Append(out.ptr(), (*this)(item).ptr()) != 0) nb::raise_python_error();
    }
    return out;
  }

  nb::object tuple(PyObject* from) {
    const Py_ssize_t size = PyTuple_GET_SIZE(from);
    nb::object out = nb::steal(PyTuple_New(size));
    bool changed = false;
    for (Py_ssize_t i = 0; i < size; ++i) {
      nb::object item = (*this)(PyTuple_GET_ITEM(from, i));
      changed |= item.ptr() != PyTuple_GET_ITEM(from, i);
      PyTuple_SET_ITEM(out.ptr(), i, item.release().ptr());
    }
    return changed ? remember(from, out) : nb::borrow(from);
  }

  nb::object dict(PyObject* from) {
    nb::object out = remember(from, nb::steal(PyDict_Copy(from)));
    nb::object keys = nb::steal(PyDict_Keys(out.ptr()));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(keys.ptr()); ++i) {
      PyObject* key = PyList_GET_ITEM(keys.ptr(), i);
      const nb::object item = nb::borrow(PyDict_GetItemWithError(out.ptr(), key));
      if (!item.is_valid()) {
        if (PyErr_Occurred() != nullptr) nb::raise_python_error();
        continue;
      }
      if (PyDict_SetItem(out.ptr(), key, (*this)(item).ptr()) != 0) nb::raise_python_error();
    }
    return out;
  }

  const PythonClass& about_;
  std::vector<std::pair<nb::object, nb::object>> copied_; // few: one entry per container
  nb::dict memo_ = nb::steal<nb::dict>(nb::handle());
};

nb::object clone_parts(nb::handle borrowed, const PythonClass& about) {
  const nb::object object = nb::borrow(borrowed); // the game's own code, run below, may let go of it
  if (about.copies) {
    nb::object out = object.attr("copy")();
    if (Py_TYPE(out.ptr()) != Py_TYPE(object.ptr()))
      throw std::invalid_argument(about.name + ": copy() must return another " + Py_TYPE(object.ptr())->tp_name +
                                  ", not " + brief(repr_of(out)) + ".");
    return out;
  }
  if (!about.plain) return about.clone(object);
  PyTypeObject* type = Py_TYPE(object.ptr());
  nb::object none = nb::steal(PyTuple_New(0));
  nb::object out = nb::steal(type->tp_new(type, none.ptr(), nullptr));
  if (!out.is_valid()) nb::raise_python_error();
  Cloner clone(about);
  clone.remember(object.ptr(), out); // its parts may point back to it
  if (PyObject_SetAttrString(out.ptr(), "__dict__", clone(object.attr("__dict__")).ptr()) != 0)
    nb::raise_python_error();
  return out;
}

// The game's own exception travels on, with a note that says which call of which game raised it.
[[noreturn]] void travel_on(nb::python_error& error, const PythonClass& about, const char* method) {
  try {
    error.value().attr("add_note")("raised by " + about.name + "." + method + "()");
  } catch (nb::python_error&) { // an exception too strange to carry a note travels on without
  }
  throw error;
}

nb::object clone_object(nb::handle object, const PythonClass& about) {
  try {
    return clone_parts(object, about);
  } catch (nb::python_error& error) {
    travel_on(error, about, "copy");
  }
}

// The next element of an iteration, or an invalid object at its end.
nb::object next_of(nb::handle iterator) {
  nb::object item = nb::steal(PyIter_Next(iterator.ptr()));
  if (!item.is_valid() && PyErr_Occurred() != nullptr) nb::raise_python_error();
  return item;
}

// Interned once per method: every call of a Python game looks its method up by this name.
PyObject* interned(const char* method) {
  thread_local std::vector<std::pair<const char*, PyObject*>> names;
  for (const auto& [text, name] : names)
    if (text == method) return name;
  names.emplace_back(method, PyUnicode_InternFromString(method));
  return names.back().second;
}

// Clears an error that only says "this is not a number" or "not a list"; any other, raised by the game's own code
// inside the answer, travels on.
void clear_mismatch() {
  if (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_OverflowError)) PyErr_Clear();
  else nb::raise_python_error();
}

bool to_integer(nb::handle value, std::int64_t& out) {
  if (!PyIndex_Check(value.ptr())) return false;
  nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) {
    clear_mismatch();
    return false;
  }
  int overflow = 0;
  out = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  return overflow == 0;
}

bool to_number(nb::handle value, double& out) {
  out = PyFloat_AsDouble(value.ptr());
  if (out != -1 || PyErr_Occurred() == nullptr) return true;
  clear_mismatch();
  return false;
}

// An iterator over an answer, or an invalid object if it is no list of things in order.
nb::object iterator_of(nb::handle answer) {
  if (PyDict_Check(answer.ptr()) || PyUnicode_Check(answer.ptr())) return {};
  nb::object out = nb::steal(PyObject_GetIter(answer.ptr()));
  if (!out.is_valid()) clear_mismatch();
  return out;
}

// Reports whether an id was seen before, without allocating for the short lists that are the rule.
class Seen {
 public:
  bool repeats(Action id) {
    if (few_.size() < 64) {
      for (const Action other : few_)
        if (other == id) return true;
      few_.push(id);
      return false;
    }
    if (many_.empty()) {
      many_.resize(kMaxActions);
      for (const Action other : few_) many_[static_cast<std::size_t>(other)] = true;
    }
    if (many_[static_cast<std::size_t>(id)]) return true;
    many_[static_cast<std::size_t>(id)] = true;
    return false;
  }

 private:
  List<Action, 64> few_;
  std::vector<bool> many_;
};

} // namespace

PythonRules::PythonRules(nb::handle object, const PythonClass* about)
    : object_(object.inc_ref().ptr()), about_(about) {}

PythonRules::PythonRules(const PythonRules& other) : object_(nullptr), about_(other.about_) {
  nb::gil_scoped_acquire gil;
  object_ = clone_object(other.object_, *about_).release().ptr();
}

PythonRules& PythonRules::operator=(const PythonRules& other) {
  if (this == &other) return *this;
  nb::gil_scoped_acquire gil;
  PyObject* fresh = clone_object(other.object_, *other.about_).release().ptr();
  about_ = other.about_;
  Py_XSETREF(object_, fresh);
  return *this;
}

PythonRules::~PythonRules() {
  nb::gil_scoped_acquire gil;
  Py_XDECREF(object_);
}

static nb::object answer_of(PyObject* result, const PythonClass& about, const char* method) {
  if (result != nullptr) return nb::steal(result);
  nb::python_error error;
  travel_on(error, about, method);
}

nb::object PythonRules::call(const char* method) const {
  return answer_of(PyObject_CallMethodNoArgs(object_, interned(method)), *about_, method);
}
// The method, or the default where the class has none.
nb::object PythonRules::call_or(const nb::object& standby, const char* method) const {
  if (standby.is_none()) return call(method);
  return answer_of(PyObject_CallOneArg(standby.ptr(), object_), *about_, method);
}
nb::object PythonRules::call(const char* method, nb::object argument) const {
  return answer_of(PyObject_CallMethodOneArg(object_, interned(method), argument.ptr()), *about_, method);
}
nb::object PythonRules::call(const char* method, nb::object first, nb::object second) const {
  PyObject* name = interned(method);
  return answer_of(PyObject_CallMethodObjArgs(object_, name, first.ptr(), second.ptr(), nullptr), *about_, method);
}

void PythonRules::nonsense(const char* method, nb::handle answer, const std::string& wanted) const {
  throw std::invalid_argument(about_->name + ": " + method + "() returned " + brief(repr_of(answer)) +
                              "; it must return " + wanted + ".");
}

std::int64_t PythonRules::read_integer(const char* method, nb::handle answer) const {
  std::int64_t out = 0;
  if (!to_integer(answer, out)) nonsense(method, answer, "a whole number");
  return out;
}

bool PythonRules::read_truth(const char* method, nb::handle answer) const {
  const int yes = PyObject_IsTrue(answer.ptr());
  if (yes < 0) {
    PyErr_Clear();
    nonsense(method, answer, "true or false");
  }
  return yes == 1;
}

std::uint64_t PythonRules::read_hash(const char* method, nb::handle answer) const {
  nb::object number = nb::steal(PyIndex_Check(answer.ptr()) ? PyNumber_Index(answer.ptr()) : nullptr);
  if (!number.is_valid()) {
    if (PyErr_Occurred() != nullptr) clear_mismatch();
    nonsense(method, answer, "a whole number");
  }
  return PyLong_AsUnsignedLongLongMask(number.ptr());
}

std::string PythonRules::read_text(const char* method, nb::handle answer) const {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_Check(answer.ptr()) ? PyUnicode_AsUTF8AndSize(answer.ptr(), &size) : nullptr;
  if (text == nullptr) {
    PyErr_Clear();
    nonsense(method, answer, "a text");
  }
  return {text, static_cast<std::size_t>(size)};
}

void PythonRules::read_values(const char* method, nb::handle answer, Values& out) const {
  // A search asks for thousands of values: the position says where to look.
  const auto nonsense = [&](const char* name, nb::handle what, const std::string& wanted) {
    this->nonsense(name, what, wanted + ", in the position " + where());
  };
  const std::string wanted = "a list of " + std::to_string(about_->facts.players) + " finite numbers, one per player";
  nb::object iterator = iterator_of(answer);
  if (!iterator.is_valid()) nonsense(method, answer, wanted);
  int count = 0;
  for (nb::object item = next_of(iterator); item.is_valid(); item = next_of(iterator), ++count) {
    double value = 0;
    if (count >= about_->facts.players || !to_number(item, value) || !std::isfinite(value))
      nonsense(method, answer, wanted);
    out[static_cast<std::size_t>(count)] = value;
  }
  if (count != about_->facts.players) nonsense(method, answer, wanted);
}

int PythonRules::to_move() const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("to_move");
  std::int64_t mover = 0;
  const bool chance = about_->table.chance != nullptr;
  if (!to_integer(answer, mover) || mover >= about_->facts.players || mover < TERMINAL || (mover == CHANCE && !chance))
    nonsense("to_move", answer,
             "a player from 0 to " + std::to_string(about_->facts.players - 1) +
                 (chance ? ", sf.CHANCE or sf.TERMINAL" : " or sf.TERMINAL (sf.CHANCE needs a method chance)"));
  return static_cast<int>(mover);
}

void PythonRules::legal_actions(ActionList& out) const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("legal_actions");
  const std::string wanted = "one to " + std::to_string(kMaxLegal) + " different actions, whole numbers from 0 to " +
                             std::to_string(about_->facts.actions - 1);
  nb::object iterator = iterator_of(answer);
  if (!iterator.is_valid()) nonsense("legal_actions", answer, wanted);
  Seen seen;
  for (nb::object item = next_of(iterator); item.is_valid(); item = next_of(iterator)) {
    std::int64_t action = 0;
    if (!to_integer(item, action) || action < 0 || action >= about_->facts.actions || out.full() ||
        seen.repeats(static_cast<Action>(action)))
      nonsense("legal_actions", answer, wanted);
    out.push(static_cast<Action>(action));
  }
  if (out.empty()) nonsense("legal_actions", answer, wanted);
}

void PythonRules::play(Action action) {
  nb::gil_scoped_acquire gil;
  call("play", nb::int_(action));
}

void PythonRules::returns(Values& out) const {
  nb::gil_scoped_acquire gil;
  read_values("returns", call("returns"), out);
}

std::uint64_t PythonRules::hash() const {
  nb::gil_scoped_acquire gil;
  return read_hash("hash", call_or(about_->hash, "hash"));
}

std::string PythonRules::draw() const {
  nb::gil_scoped_acquire gil;
  return read_text("__str__", call_or(about_->draw, "__str__"));
}

std::string PythonRules::action_text(Action action) const {
  nb::gil_scoped_acquire gil;
  if (!about_->action_text.is_none()) return std::to_string(action);
  return read_text("action_text", call("action_text", nb::int_(action)));
}

void PythonRules::chance(OutcomeList& out) const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("chance");
  const std::string wanted = "at most " + std::to_string(kMaxLegal) +
                             " pairs (outcome, probability) with different outcomes from 0 to " +
                             std::to_string(about_->facts.outcomes - 1) + " and probabilities that add up to 1";
  nb::object iterator = iterator_of(answer);
  if (!iterator.is_valid()) nonsense("chance", answer, wanted);
  double total = 0;
  Seen seen;
  for (nb::object item = next_of(iterator); item.is_valid(); item = next_of(iterator)) {
    std::int64_t outcome = 0;
    double probability = 0;
    if (!PyTuple_Check(item.ptr()) && !PyList_Check(item.ptr())) nonsense("chance", answer, wanted);
    if (PySequence_Size(item.ptr()) != 2 || !to_integer(item[0], outcome) || !to_number(item[1], probability) ||
        outcome < 0 || outcome >= about_->facts.outcomes || !(probability > 0 && probability <= 1) || out.full() ||
        seen.repeats(static_cast<Action>(outcome)))
      nonsense("chance", answer, wanted);
    out.push({static_cast<Action>(outcome), probability});
    total += probability;
  }
  if (std::abs(total - 1) > 1e-6) nonsense("chance", answer, wanted);
}

int PythonRules::chance_for() const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("chance_for");
  if (answer.is_none()) return -1;
  const std::int64_t player = read_integer("chance_for", answer);
  if (player < -1 || player >= about_->facts.players) nonsense("chance_for", answer, "a player, or None");
  return static_cast<int>(player);
}

Action PythonRules::typical() const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("typical");
  if (answer.is_none()) return kNoAction;
  const std::int64_t outcome = read_integer("typical", answer);
  OutcomeList outcomes;
  chance(outcomes);
  for (const auto& [possible, probability] : outcomes)
    if (possible == outcome) return possible;
  nonsense("typical", answer, "an outcome that is possible, or None");
}

void PythonRules::observe(int viewer, Observation& out) const {
  nb::gil_scoped_acquire gil;
  nb::object answer =
      answer_of(PyObject_CallFunction(about_->observe.ptr(), "Oi", object_, viewer), *about_, "observe");
  using Array = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
  const Array planes = nb::cast<Array>(answer[0]), features = nb::cast<Array>(answer[1]);
  if (planes.size() > 0) std::memcpy(&out.at(0, 0, 0), planes.data(), planes.size() * sizeof(float));
  if (features.size() > 0) std::memcpy(&out.feature(0), features.data(), features.size() * sizeof(float));
}

void PythonRules::redeal(int viewer, Rng& rng) {
  nb::gil_scoped_acquire gil;
  call("redeal", nb::int_(viewer), about_->random(nb::int_(rng.next())));
}

std::string PythonRules::view(int viewer) const {
  nb::gil_scoped_acquire gil;
  return read_text("view", call("view", nb::int_(viewer)));
}

void PythonRules::heuristic(Values& out) const {
  nb::gil_scoped_acquire gil;
  read_values("heuristic", call("heuristic"), out);
}

// The position in one line, for messages.
std::string PythonRules::where() const {
  std::string out = about_->table.to_text != nullptr ? to_text() : draw();
  std::replace(out.begin(), out.end(), '\n', ' ');
  return brief(out);
}

void PythonRules::terms(int player, Terms& out) const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("terms", nb::int_(player));
  const auto wrong = [&] {
    nonsense("terms", answer,
             "a dictionary of at most 64 finite numbers, always with the same names in the same order");
  };
  if (!PyDict_Check(answer.ptr())) wrong();
  const auto& names = about_->term_names;
  PyObject *key = nullptr, *item = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(answer.ptr(), &at, &key, &item) != 0;) {
    double value = 0;
    const auto place = static_cast<std::size_t>(out.size());
    if (place >= names.size() || !PyUnicode_Check(key) || names[place] != nb::str(nb::handle(key)).c_str() ||
        !to_number(item, value) || !std::isfinite(value))
      wrong();
    out.push(value);
  }
  if (static_cast<std::size_t>(out.size()) != names.size()) wrong();
}

void PythonRules::handicap() {
  nb::gil_scoped_acquire gil;
  call("handicap");
}

void PythonRules::rewind(ActionList& out) {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("rewind");
  nb::object iterator = iterator_of(answer);
  if (!iterator.is_valid()) nonsense("rewind", answer, "a list of actions");
  for (nb::object item = next_of(iterator); item.is_valid(); item = next_of(iterator)) {
    std::int64_t action = -1;
    if (!to_integer(item, action) || action < 0 || action >= kMaxActions || out.full())
      nonsense("rewind", answer, "a list of actions");
    out.push(static_cast<Action>(action));
  }
}

void PythonRules::odds(Odds& out) const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("odds");
  const auto wrong = [&] { nonsense("odds", answer, "a weight of 0 or more for each legal action, not all 0"); };
  ActionList actions;
  legal_actions(actions);
  nb::object iterator = iterator_of(answer);
  if (!iterator.is_valid()) wrong();
  double total = 0;
  for (nb::object item = next_of(iterator); item.is_valid(); item = next_of(iterator)) {
    double weight = 0;
    if (!to_number(item.ptr(), weight) || !(weight >= 0) || !std::isfinite(weight) || out.full()) wrong();
    out.push(weight);
    total += weight;
  }
  if (out.size() != actions.size() || !(total > 0)) wrong();
}

void PythonRules::order(Action previous, ActionList& list) const {
  nb::gil_scoped_acquire gil;
  nb::list given;
  for (const Action action : list) given.append(action);
  nb::object answer = call("order", previous == kNoAction ? nb::none() : nb::object(nb::int_(previous)), given);
  ActionList sorted;
  nb::object iterator = iterator_of(answer);
  if (!iterator.is_valid()) nonsense("order", answer, "the given actions in another order");
  for (nb::object item = next_of(iterator); item.is_valid(); item = next_of(iterator)) {
    std::int64_t action = -1;
    if (!to_integer(item, action) || action < 0 || action >= kMaxActions || sorted.full())
      nonsense("order", answer, "the given actions in another order");
    sorted.push(static_cast<Action>(action));
  }
  if (!std::is_permutation(sorted.begin(), sorted.end(), list.begin(), list.end()))
    nonsense("order", answer, "the given actions in another order");
  std::copy(sorted.begin(), sorted.end(), list.begin());
}

bool PythonRules::independent(Action action) const {
  nb::gil_scoped_acquire gil;
  return read_truth("independent", call("independent", nb::int_(action)));
}

bool PythonRules::commutes(Action action, Action other) const {
  nb::gil_scoped_acquire gil;
  return read_truth("commutes", call("commutes", nb::int_(action), nb::int_(other)));
}

bool PythonRules::quiet() const {
  nb::gil_scoped_acquire gil;
  return read_truth("quiet", call("quiet"));
}

std::uint64_t PythonRules::canonical() const {
  nb::gil_scoped_acquire gil;
  return read_hash("canonical", call("canonical"));
}

int PythonRules::symmetries() const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("symmetries");
  const std::int64_t count = read_integer("symmetries", answer);
  if (count < 1 || count > 1 << 20) nonsense("symmetries", answer, "how many there are, the identity included");
  return static_cast<int>(count);
}

PythonRules PythonRules::symmetric(int symmetry) const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("symmetric", nb::int_(symmetry));
  if (Py_TYPE(answer.ptr()) != Py_TYPE(object_)) nonsense("symmetric", answer, "another position of the same class");
  return {answer, about_};
}

Action PythonRules::symmetric_action(int symmetry, Action action) const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("symmetric_action", nb::int_(symmetry), nb::int_(action));
  const std::int64_t out = read_integer("symmetric_action", answer);
  if (out < 0 || out >= about_->facts.actions) nonsense("symmetric_action", answer, "an action");
  return static_cast<Action>(out);
}

std::string PythonRules::to_text() const {
  nb::gil_scoped_acquire gil;
  return read_text("to_text", call("to_text"));
}

void PythonRules::parse(std::string_view text) {
  nb::gil_scoped_acquire gil;
  call("parse", nb::str(text.data(), text.size()));
}

Action PythonRules::parse_action(std::string_view text) const {
  nb::gil_scoped_acquire gil;
  nb::object answer = call("parse_action", nb::str(text.data(), text.size()));
  if (answer.is_none()) return kNoAction;
  const std::int64_t action = read_integer("parse_action", answer);
  return action >= 0 && action < about_->facts.actions ? static_cast<Action>(action) : kNoAction;
}

// The names of a game's terms: those that its first position answers with.
static std::vector<std::string> term_names_of(nb::handle initial, const std::string& game) {
  nb::object answer = initial.attr("terms")(0);
  std::vector<std::string> out;
  if (PyDict_Check(answer.ptr()))
    for (const nb::handle name : nb::borrow<nb::dict>(answer).keys())
      if (PyUnicode_Check(name.ptr())) out.push_back(nb::cast<std::string>(name));
  if (out.empty() || out.size() > kMaxTerms || out.size() != nb::len(answer))
    throw std::invalid_argument(game + ": terms() returned " + brief(repr_of(answer)) +
                                "; it must return a dictionary of 1 to 64 numbers by name.");
  return out;
}

std::unique_ptr<Game> make_python_game(nb::object initial, std::shared_ptr<PythonClass> about,
                                       const std::vector<std::string>& abilities, Options options) {
  const auto lacks = [&](const char* ability) {
    return std::find(abilities.begin(), abilities.end(), ability) == abilities.end();
  };
  Table table = kTable<PythonRules>;
  if (lacks("chance")) table.chance = nullptr;
  if (lacks("chance_for")) table.chance_for = nullptr;
  if (lacks("typical")) table.typical = nullptr;
  if (lacks("observe")) table.observe = nullptr;
  if (lacks("redeal")) table.redeal = nullptr;
  if (lacks("view")) table.view = nullptr;
  if (lacks("rewind")) table.rewind = nullptr;
  if (lacks("odds")) table.odds = nullptr;
  if (lacks("heuristic")) table.heuristic = nullptr;
  if (lacks("terms")) table.terms = nullptr;
  else about->term_names = term_names_of(initial, about->name);
  table.term_names = [](const void* p) { return held<PythonRules>(p).about().term_names; };
  if (lacks("handicap")) table.handicap = nullptr;
  if (lacks("order")) table.order = nullptr;
  if (lacks("independent")) table.independent = nullptr;
  if (lacks("commutes")) table.commutes = nullptr;
  if (lacks("quiet")) table.quiet = nullptr;
  if (lacks("canonical")) table.canonical = nullptr;
  if (lacks("symmetries")) table.symmetries = nullptr;
  if (lacks("to_text")) table.to_text = nullptr, table.parse = nullptr;
  if (lacks("parse_action")) table.parse_action = nullptr;
  about->table = table;
  about->facts.name = about->name;
  const PythonRules rules(initial, about.get());
  return std::make_unique<Game>(about->facts, std::move(options), State::holding(rules, about->table), about);
}

} // namespace sevenfold::bind
