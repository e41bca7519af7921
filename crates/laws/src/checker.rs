//! What is wrong with a law, read from its script and from what the room has: names, members, values, copies.
//!
//! Nothing is run. What a value is follows from the parameters of an act, and from what the functions of laws give. Of
//! what is not known, nothing is said.

mod kinds;
pub(crate) mod syntax;

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Expr, FnCallExpr, FnPtr, Position, Stmt};

use kernel::{Id, directives::sight::RULE, world::Range};

use super::{
    declared::kind_id,
    docket_decl::{BEGIN, END},
    fault::Fault,
    limits::CALLS_MAX_LEVELS,
    names,
    params::{self, Takes},
    reads::gives,
    registry::{REFUSED, Registry, Use},
    script::{Function, placed},
    stage::Stage,
};
use kinds::{Is, member_of, members, operated};
use syntax::{Body, Link, chain, closure_of, is_empty_map, is_without_effect, keys, outcomes, text};

/// A variable, where the script stands.
struct Variable {
    name: String,
    is: Is,
    /// In how many loops it was made.
    loops: usize,
    /// Whether a function has it, too.
    captured: bool,
    /// Where a part of it was written that nobody has read since.
    unread: Option<Position>,
}

/// Functions that look for the name of an act, each with the place where it is given.
const NAMES_ACTS: &[(&str, usize)] = &[
    ("ask", 1),
    ("discard", 0),
    ("in_turn", 1),
    ("line", 0),
    ("opened", 0),
    ("perform", 0),
    ("schedule", 1),
    ("times", 0),
    ("unask", 0),
    ("unschedule", 0),
];

/// Functions that hand on choices of an act, each with the place where they are given.
const GIVES_TO_ACTS: &[(&str, usize)] = &[("ask", 2), ("line", 1), ("perform", 1), ("schedule", 2)];

/// What a law is found to be wrong in, each with its place.
pub(crate) fn faults(stage: &dyn Stage, registry: &Registry, law: usize) -> Vec<Fault> {
    let Some(known) = registry.laws.get(law) else { return Vec::new() };
    let mut reader = Reader {
        stage,
        registry,
        law,
        bodies: &known.script.parts().bodies,
        read: BTreeSet::new(),
        variables: Vec::new(),
        given: None,
        loops: 0,
        first_round: false,
        left: READ_MAX_COUNT,
        depth: 0,
        found: Vec::new(),
    };
    for (is, name, function) in registry.uses(law) {
        reader.hook(is, name, function);
    }
    // What only other functions of the script call, and its top level.
    for (name, (params, _)) in reader.bodies {
        if !reader.read.contains(name) {
            reader.given = None;
            reader.function(name, &vec![Is::Anything; params.len()], true);
        }
    }
    reader.given = None;
    reader.statements(known.script.ast.statements(), true);
    let mut found = reader.found;
    found.sort_by_key(|fault| (fault.line, fault.column));
    // Each once, where it is first.
    let mut told = BTreeSet::new();
    found.retain(|fault| told.insert(fault.why.clone()));
    found
}

/// Most expressions of a law that are read: far more than one of its length has, where none is read again and again.
const READ_MAX_COUNT: usize = 100_000;

struct Reader<'r> {
    stage: &'r dyn Stage,
    registry: &'r Registry,
    law: usize,
    bodies: &'r BTreeMap<String, Body>,
    /// The functions that were read.
    read: BTreeSet<String>,
    variables: Vec<Variable>,
    /// What the act is called that is read, and what it is done with; nothing of what nobody knows.
    given: Option<(String, Vec<(String, Is)>)>,
    loops: usize,
    /// Whether what is read is the first round of a loop, within which loops are read once.
    first_round: bool,
    /// How many expressions more are read.
    left: usize,
    /// How many functions stand within each other that are read.
    depth: usize,
    found: Vec<Fault>,
}

impl Reader<'_> {
    /// Whether a law declares something by a name that is written out, whether it does so now or not, or sets it of an act.
    fn is_written(&self, name: &str) -> bool {
        self.registry.laws.iter().any(|law| law.script.parts().written.contains(name))
    }

    fn fault(&mut self, at: Position, why: impl Into<String>) {
        self.found.push(placed(at, why.into()));
    }

    /// Reads a function that is called for something.
    fn hook(&mut self, is: Use, name: &str, function: &Function) {
        self.given = self.given_to(name).map(|given| (name.to_owned(), given));
        let mut params: Vec<Is> = function.pointer.iter_curry().map(Is::of_value).collect();
        let count = self.bodies.get(function.pointer.fn_name()).map_or(0, |(params, _)| params.len());
        params.resize(count, if is == Use::Display { Is::Anything } else { Is::Given });
        let has_value = matches!(is, Use::Act | Use::Bar | Use::Display);
        self.function(function.pointer.fn_name(), &params, has_value);
    }

    /// What an act, a bar or a follower is given; nothing where that is not known.
    fn given_to(&self, name: &str) -> Option<Vec<(String, Is)>> {
        let players = || Is::Object(self.registry.kinds_of(self.stage, "player").unwrap_or_default());
        if let Some(act) = name.strip_prefix(REFUSED) {
            let mut given = self.given_to(act)?;
            given.push(("why".to_owned(), Is::Text));
            return Some(given);
        }
        if let Some((attr, kind)) = name.strip_prefix("change of ").and_then(|of| of.rsplit_once(" of ")) {
            let range = self.stage.world().def(attr, kind).map_or(Is::Anything, |def| Is::of_range(&def.range));
            let of = Is::Object(vec![kind.into()]);
            let all = [("of", of), ("was", range.clone()), ("now", range), ("by", players())];
            return Some(all.map(|(name, is)| (name.to_owned(), is)).to_vec());
        }
        if let Some(kind) = name.strip_prefix("new ") {
            let all = [("of", Is::Object(vec![kind.into()])), ("by", players())];
            return Some(all.map(|(name, is)| (name.to_owned(), is)).to_vec());
        }
        if [BEGIN, END].contains(&name) {
            let kinds = self.registry.ballots.values().flatten().map(|(_, ballot)| ballot.kind.as_str().into());
            return Some(vec![("on".to_owned(), Is::Object(kinds.collect())), ("name".to_owned(), Is::Text)]);
        }
        let Some((act, _)) = self.registry.acts.get(name) else {
            // What it holds the game knows, and not of what kind.
            let held = self.stage.holds(name)?.into_iter();
            let is = |name: &str| if name == "by" { players() } else { Is::Anything };
            return Some(held.map(|name| (name.clone(), is(&name))).collect());
        };
        let mut given: Vec<(String, Is)> =
            act.params.iter().map(|param| (param.name.clone(), self.takes(&param.range))).collect();
        let by = match act.who.as_str() {
            "" => players(),
            who => self.registry.kinds_of(self.stage, who).map_or_else(players, Is::Object),
        };
        given.push(("by".to_owned(), by));
        if self.registry.ballots.contains_key(name) {
            given.push(("was".to_owned(), Is::Anything));
        }
        Some(given)
    }

    fn takes(&self, range: &str) -> Is {
        match params::read(range, self.registry, self.stage) {
            Ok(Takes::Value(range)) => Is::of_range(&range),
            Ok(Takes::Object(kinds)) => Is::Object(kinds),
            Ok(Takes::Objects(kinds)) => Is::list(Is::Object(kinds)),
            Ok(Takes::Letters(..) | Takes::Law) => Is::Text,
            Ok(Takes::Anything | Takes::AnyObject | Takes::Answers | Takes::Command) | Err(_) => Is::Anything,
        }
    }

    /// Reads a function that is given such things; what it gives.
    fn function(&mut self, name: &str, params: &[Is], has_value: bool) -> Is {
        let Some((names, does)) = self.bodies.get(name).filter(|_| self.depth < CALLS_MAX_LEVELS) else {
            return Is::Anything;
        };
        self.read.insert(name.to_owned());
        self.depth += 1;
        let (outer, loops) = (std::mem::take(&mut self.variables), std::mem::take(&mut self.loops));
        for (name, is) in names.iter().zip(params) {
            self.let_be(name, is.clone());
        }
        let gives = self.statements(does, has_value);
        self.leave(0);
        (self.variables, self.loops) = (outer, loops);
        self.depth -= 1;
        gives
    }

    fn let_be(&mut self, name: &str, is: Is) {
        let variable = Variable { name: name.to_owned(), is, loops: self.loops, captured: false, unread: None };
        self.variables.push(variable);
    }

    /// Forgets variables; what was written into one that is a copy, and that nobody read, is lost.
    fn leave(&mut self, count: usize) {
        for variable in self.variables.split_off(count) {
            if let Some(at) = variable.unread.filter(|_| !variable.captured) {
                let name = variable.name;
                self.fault(
                    at,
                    format!("what is written here is lost: “{name}” is a copy, and nothing reads it afterwards"),
                );
            }
        }
    }

    fn variable(&mut self, name: &str) -> Option<&mut Variable> {
        self.variables.iter_mut().rfind(|variable| variable.name == name)
    }

    fn statements(&mut self, all: &[Stmt], has_value: bool) -> Is {
        let before = self.variables.len();
        let mut gives = Is::Nothing;
        for (place, stmt) in all.iter().enumerate() {
            gives = self.statement(stmt, has_value && place + 1 == all.len());
        }
        self.leave(before);
        gives
    }

    /// Reads what is done again and again. What a round leaves in a variable the next one finds there, so nothing is told of
    /// the first.
    fn looped(&mut self, all: &[Stmt], names: &[(&str, Is)]) {
        if !std::mem::replace(&mut self.first_round, true) {
            let told = self.found.len();
            self.round(all, names);
            self.found.truncate(told);
            self.first_round = false;
            return self.round(all, names);
        }
        self.round(all, names);
    }

    fn round(&mut self, all: &[Stmt], names: &[(&str, Is)]) {
        self.loops += 1;
        let before = self.variables.len();
        for (name, is) in names {
            self.let_be(name, is.clone());
        }
        self.statements(all, false);
        self.leave(before);
        self.loops -= 1;
    }

    fn statement(&mut self, stmt: &Stmt, has_value: bool) -> Is {
        match stmt {
            Stmt::If(flow, _) => {
                self.value(&flow.expr);
                let one = self.statements(flow.body.statements(), has_value);
                one.or(self.statements(flow.branch.statements(), has_value))
            }
            Stmt::Switch(switch, _) => {
                self.value(&switch.0);
                for case in &switch.1.expressions {
                    self.value(&case.lhs);
                    self.value(&case.rhs);
                }
                Is::Anything
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.value(&flow.expr);
                self.looped(flow.body.statements(), &[]);
                Is::Nothing
            }
            Stmt::For(is, _) => {
                let (name, counter, flow) = &**is;
                let article = self.value(&flow.expr).article();
                let mut names = vec![(name.name.as_str(), article)];
                names.extend(counter.iter().map(|counter| (counter.name.as_str(), Is::Number)));
                self.looped(flow.body.statements(), &names);
                Is::Nothing
            }
            Stmt::Var(is, ..) => {
                let held = self.value(&is.1);
                self.let_be(&is.0.name, held);
                Is::Nothing
            }
            Stmt::Assignment(is) => {
                let to = self.value(&is.1.rhs);
                self.assign(&is.1.lhs, to, &is.1.rhs, is.0.is_op_assignment());
                Is::Nothing
            }
            Stmt::FnCall(call, at) => {
                if !has_value && call.op_token.is_some() {
                    self.without_effect(*at);
                }
                self.call(call, *at)
            }
            Stmt::Block(block) => self.statements(block.statements(), has_value),
            Stmt::Expr(is) => {
                if !has_value && is_without_effect(is) {
                    self.without_effect(is.start_position());
                }
                self.value(is)
            }
            Stmt::Return(is, ..) | Stmt::BreakLoop(is, ..) => {
                if let Some(is) = is {
                    self.value(is);
                }
                Is::Anything
            }
            _ => Is::Nothing,
        }
    }

    fn without_effect(&mut self, at: Position) {
        self.fault(at, "this changes nothing: a value is set by “=”, “+=” or “-=”");
    }

    /// Something is set, or changed by something.
    fn assign(&mut self, target: &Expr, to: Is, written: &Expr, by: bool) {
        if let Expr::Variable(name, ..) = target {
            if let Some(variable) = self.variable(&name.1) {
                let is = std::mem::replace(&mut variable.is, Is::Anything);
                let to = if by && matches!(is, Is::List(_)) && !matches!(to, Is::List(_)) { Is::list(to) } else { to };
                variable.is =
                    if by && is != Is::list(Is::Nothing) && !matches!(is, Is::List(_)) { is } else { is.or(to) };
            }
            return;
        }
        let (root, links) = chain(target);
        let mut held = match root {
            Expr::Variable(name, ..) => self.variable(&name.1).map_or(Is::Anything, |variable| variable.is.clone()),
            other => self.value(other),
        };
        let Some((last, before)) = links.split_last() else { return };
        for link in before {
            held = self.link(&held, link);
        }
        if let (Is::Map | Is::Row(_) | Is::List(_), Expr::Variable(name, ..), true) = (&held, root, before.is_empty()) {
            let loops = self.loops;
            if let Some(variable) = self.variable(&name.1) {
                variable.unread = (variable.loops == loops).then(|| target.start_position());
            }
        }
        match last {
            Link::Member(name, at) => self.set(&held, name, *at, &to, written, by),
            Link::Place(place) => drop(self.value(place)),
            Link::Method(call) => drop(self.method(&held, call, None)),
        }
    }

    /// A value of an object is set.
    fn set(&mut self, held: &Is, name: &str, at: Position, to: &Is, written: &Expr, by: bool) {
        let is = self.member(held, name, at);
        let Is::Object(kinds) = held else { return };
        let ranges = kinds.iter().filter_map(|kind| self.stage.world().def(name, kind)).map(|def| def.range.clone());
        let ranges: Vec<Range> = ranges.collect();
        let fits = |range: &Range| match range {
            Range::List { of, .. } if by => to.fits(range) || to.fits(of),
            Range::Text | Range::OneOf(_) if by => true,
            range => to.fits(range),
        };
        if !ranges.is_empty() && !ranges.iter().any(fits) {
            self.fault(at, format!("“{name}” holds {}, and this is {}", is.words_within(), to.words()));
        } else if !by && !ranges.is_empty() && ranges.iter().all(|range| matches!(range, Range::OneOf(_))) {
            let choices = |range: &Range| if let Range::OneOf(choices) = range { choices.clone() } else { Vec::new() };
            let mut all: Vec<_> = Vec::new();
            ranges.iter().flat_map(choices).for_each(|choice| {
                if !all.contains(&choice) {
                    all.push(choice);
                }
            });
            let all: Vec<&str> = all.iter().map(|choice| &**choice).collect();
            for text in outcomes(written).into_iter().filter(|text| !all.contains(text)) {
                let (near, all) = (near(text, all.iter().copied()), all.join(", "));
                self.fault(at, format!("“{name}” is one of {all}, and not “{text}”{near}"));
            }
        }
    }

    fn link(&mut self, held: &Is, link: &Link<'_>) -> Is {
        match link {
            Link::Member(name, at) => self.member(held, name, *at),
            Link::Method(call) => self.method(held, call, None),
            Link::Place(place) => {
                self.value(place);
                match (held, place) {
                    (Is::Object(_) | Is::Given | Is::Row(_), Expr::StringConstant(name, at)) => {
                        self.member(held, name, *at)
                    }
                    _ => held.article(),
                }
            }
        }
    }

    fn member(&mut self, held: &Is, name: &str, at: Position) -> Is {
        match held {
            Is::Given => {
                let Some((of, given)) = &self.given else { return Is::Anything };
                if let Some((_, is)) = given.iter().find(|(known, _)| known == name) {
                    return is.clone();
                }
                if self.is_written(&format!(".{name}")) {
                    return Is::Anything;
                }
                let near = near(name, given.iter().map(|(known, _)| known.as_str()));
                let why = format!("“{of}” has no “{name}”{near}");
                self.fault(at, why);
                Is::Anything
            }
            Is::Object(kinds) => self.attribute(kinds, name, at),
            Is::Row(row) => {
                if !members(row).contains(&name) && !self.is_written(&format!(".{name}")) {
                    let gives = if matches!(*row, "cast" | "rules") {
                        format!("a row of “{row}” has")
                    } else {
                        format!("“{row}” gives")
                    };
                    let near = near(name, members(row).iter().copied());
                    self.fault(at, format!("{gives} no “{name}”{near}"));
                }
                member_of(row, name)
            }
            _ => Is::Anything,
        }
    }

    /// A value of an object of one of some kinds.
    fn attribute(&mut self, kinds: &[Id], name: &str, at: Position) -> Is {
        match name {
            "name" | "kind" => return Is::Text,
            "exists" => return Is::Truth,
            _ => {}
        }
        let (stage, registry) = (self.stage, self.registry);
        let is_own = |kind: &Id| match name {
            "number" => **kind == *RULE || registry.dockets.contains_key(&**kind),
            "title" | "text" | "revision" => **kind == *RULE,
            _ => false,
        };
        if kinds.iter().any(is_own) {
            return Is::Anything;
        }
        let ranges: Vec<&Range> =
            kinds.iter().filter_map(|kind| stage.world().def(name, kind)).map(|def| &def.range).collect();
        if let [first, rest @ ..] = &ranges[..] {
            return rest.iter().fold(Is::of_range(first), |is, range| is.or(Is::of_range(range)));
        }
        // What a document defines, or the game shows beside attributes, one of them has.
        let has = |kind: &Id| {
            let members = stage.members(kind);
            members.iter().any(|obj| gives(stage, obj, name) || stage.seen(obj, name).is_some())
                || registry.laws.iter().flat_map(|law| &law.declared.attrs).any(|attr| attr.name == name)
                || members.is_empty() && !registry.kinds.contains(&**kind)
                || registry.documents.contains(&**kind)
        };
        if kinds.is_empty() || kinds.iter().any(has) {
            return Is::Anything;
        }
        let known = kinds.iter().flat_map(|kind| stage.world().defs_for(kind)).map(|def| def.id.to_string());
        let known: BTreeSet<String> = known.chain(["name", "kind", "exists"].map(str::to_owned)).collect();
        let near = near(name, known.iter().map(String::as_str));
        self.fault(at, format!("no rule gives a {} “{name}”{near}", kinds.join(" or a ")));
        Is::Anything
    }

    fn value(&mut self, expr: &Expr) -> Is {
        if self.left == 0 {
            return Is::Anything;
        }
        self.left -= 1;
        match expr {
            Expr::IntegerConstant(..) => Is::Number,
            Expr::BoolConstant(..) => Is::Truth,
            Expr::And(all, _) | Expr::Or(all, _) => {
                all.iter().for_each(|one| drop(self.value(one)));
                Is::Truth
            }
            Expr::StringConstant(text, at) => {
                if text.contains("${") {
                    self.fault(*at, "“${..}” stands for a value in backticks alone: `..`, and not in quotation marks");
                }
                Is::Text
            }
            Expr::CharConstant(..) => Is::Text,
            Expr::InterpolatedString(parts, _) => {
                for part in parts.iter().filter(|part| !matches!(part, Expr::StringConstant(..))) {
                    self.value(part);
                }
                Is::Text
            }
            Expr::Unit(_) => Is::Nothing,
            Expr::Array(all, _) => {
                let of = all.iter().fold(Is::Nothing, |is, one| is.or(self.value(one)));
                Is::list(of)
            }
            Expr::Map(all, _) => {
                all.0.iter().for_each(|(_, one)| drop(self.value(one)));
                Is::Map
            }
            Expr::DynamicConstant(held, _) => {
                if let Some(pointer) = held.read_lock::<FnPtr>() {
                    let name = pointer.fn_name().to_owned();
                    drop(pointer);
                    if !self.read.contains(&name) {
                        self.closure(expr, &[]);
                    }
                    return Is::Anything;
                }
                Is::of_value(held)
            }
            Expr::Variable(name, ..) => match self.variable(&name.1) {
                Some(variable) => {
                    variable.unread = None;
                    variable.is.clone()
                }
                None => Is::Anything,
            },
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::Coalesce(all, _) => {
                all.iter().for_each(|one| drop(self.value(one)));
                Is::Anything
            }
            Expr::Stmt(block) => match closure_of(expr) {
                Some(_) => {
                    self.closure(expr, &[]);
                    Is::Anything
                }
                None => self.statements(block.statements(), true),
            },
            Expr::Dot(..) | Expr::Index(..) => {
                let (root, links) = chain(expr);
                let mut held = self.value(root);
                for (place, link) in links.iter().enumerate() {
                    held = match (place, link, root) {
                        (0, Link::Method(call), Expr::Variable(name, ..)) => self.method(&held, call, Some(&name.1)),
                        _ => self.link(&held, link),
                    };
                }
                held
            }
            _ => Is::Anything,
        }
    }

    /// A function that is written out, where it is handed over, is given such things.
    fn closure(&mut self, expr: &Expr, params: &[Is]) -> Is {
        let Some((name, captured)) = closure_of(expr) else { return self.value(expr) };
        let mut all: Vec<Is> = Vec::new();
        for capture in captured {
            if let Expr::Variable(name, ..) = capture
                && let Some(variable) = self.variable(&name.1)
            {
                variable.captured = true;
                variable.unread = None;
                all.push(variable.is.clone());
            } else {
                all.push(Is::Anything);
            }
        }
        let count = self.bodies.get(&name).map_or(0, |(params, _)| params.len());
        all.extend(params.iter().cloned());
        all.resize(count, Is::Anything);
        self.function(&name, &all, true)
    }

    /// What a method of something gives, which may be a variable of this name: a list that is made longer holds more.
    fn method(&mut self, held: &Is, call: &FnCallExpr, of: Option<&str>) -> Is {
        let article = held.article();
        let mut gives = Is::Anything;
        for arg in &call.args {
            gives = if closure_of(arg).is_some() {
                let params = if call.name.starts_with("reduce") { vec![] } else { vec![article.clone()] };
                self.closure(arg, &params)
            } else {
                self.value(arg)
            };
        }
        if let ("push" | "insert", Some(variable)) = (&*call.name, of.and_then(|of| self.variable(of)))
            && let Is::List(is) = &variable.is
        {
            variable.is = Is::list(is.as_ref().clone().or(gives.clone()));
        }
        match (&*call.name, held) {
            ("filter" | "extract" | "drain" | "retain" | "splice", Is::List(_)) => held.clone(),
            ("find" | "pop" | "shift", Is::List(_)) => article,
            ("map", Is::List(_)) => Is::list(gives),
            ("split", Is::Text) => Is::list(Is::Text),
            ("len" | "index_of", _) => Is::Number,
            ("contains" | "some" | "all" | "is_empty" | "starts_with" | "ends_with", _) => Is::Truth,
            ("to_upper" | "to_lower" | "to_string" | "sub_string", _) => Is::Text,
            _ => Is::Anything,
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position) -> Is {
        let name = &*call.name;
        let article = |held: &Is| held.article();
        let mut given: Vec<Is> = Vec::new();
        for arg in &call.args {
            let is = match closure_of(arg) {
                Some(_) => {
                    let params: Vec<Is> =
                        given.first().filter(|_| name == "in_turn").map(article).into_iter().collect();
                    self.closure(arg, &params);
                    Is::Anything
                }
                None => self.value(arg),
            };
            given.push(is);
        }
        if call.op_token.is_some() {
            self.compared(name, &given, at);
            return operated(name, &given);
        }
        self.names(call, at, &given);
        let kinds = || text(call.args.first()).and_then(|kind| self.registry.kinds_of(self.stage, kind));
        let one = || kinds().map_or(Is::Anything, Is::Object);
        match name {
            "all" => Is::list(one()),
            "players" => Is::list(Is::Object(self.registry.kinds_of(self.stage, "player").unwrap_or_default())),
            "find" | "create" => one(),
            "pick" => given.first().map_or(Is::Anything, article),
            "shuffle" => given.first().cloned().unwrap_or(Is::Anything),
            "tally" | "opened" | "parts" | "entries" | "numerals" => Is::list(Is::Map),
            "numbers" => Is::list(Is::Number),
            "number" | "count" | "times" | "draw" | "floor" | "ceil" | "in_turn" | "gain" | "lose" => Is::Number,
            "word" | "weekday" | "passed" => Is::Text,
            "has" | "is_a" | "attempt" => Is::Truth,
            "now" | "due" | "midnight" => Is::Moment,
            "clock" | "rewrite" => Is::Map,
            "votes" => Is::Row("votes"),
            "vote_of" => Is::Row("vote_of"),
            "foresee" => Is::Row("foresee"),
            _ => Is::Anything,
        }
    }

    /// What is never the same is neither less nor more, and the engine says nothing of it.
    fn compared(&mut self, name: &str, given: &[Is], at: Position) {
        let ([one, other], "==" | "!=" | "<" | ">" | "<=" | ">=") = (given, name) else { return };
        let known =
            |is: &Is| matches!(is, Is::Number | Is::Text | Is::Truth | Is::Moment | Is::Object(_) | Is::List(_));
        if known(one) && known(other) && std::mem::discriminant(one) != std::mem::discriminant(other) {
            self.fault(at, format!("{} is never {}", one.words(), other.words()));
        }
    }

    /// Holds the names that a function of laws is given against what there is.
    fn names(&mut self, call: &FnCallExpr, at: Position, given: &[Is]) {
        let (stage, registry) = (self.stage, self.registry);
        let name = &*call.name;
        let first = text(call.args.first());
        if let Some((_, place)) = NAMES_ACTS.iter().find(|(known, _)| *known == name)
            && let Some(act) = text(call.args.get(*place))
        {
            self.act(call, act, call.args[*place].position());
        }
        match (name, first) {
            ("tally", _) if given.first() == Some(&Is::list(Is::Map)) => {
                self.fault(at, "tally counts objects, and this is a list of rows: filter and count those");
            }
            ("tell" | "gain" | "lose", _)
                if matches!(given.first(), Some(Is::Number | Is::Text | Is::List(_) | Is::Map)) =>
            {
                let is = given[0].words();
                self.fault(call.args[0].position(), format!("“{name}” begins with an object, and this is {is}"));
            }
            ("table", _) => {
                if let (Some(Is::List(of)), Some(Expr::Array(columns, _))) = (given.first(), call.args.get(1))
                    && let Is::Object(kinds) = &**of
                {
                    for column in columns {
                        if let Expr::StringConstant(attr, at) = column {
                            self.attribute(kinds, attr, *at);
                        }
                    }
                }
            }
            ("holds", Some(asked)) if !registry.conditions.contains_key(asked) && !self.is_written(asked) => {
                // A rule to come may have it.
                if let Some(near) = slip(asked, registry.conditions.keys().map(String::as_str)) {
                    let why = format!("no law has the condition “{asked}”; “{near}” comes nearest");
                    self.fault(call.args[0].position(), why);
                }
            }
            ("number" | "numbers", Some(key))
                if !registry.figures.contains_key(key) && stage.rules().places(key).next().is_none() =>
            {
                let marked: Vec<&str> = stage.rules().marked().map(|(key, _)| key).collect();
                let near = near(key, registry.figures.keys().map(String::as_str).chain(marked));
                self.fault(call.args[0].position(), format!("no rule gives the figure “{key}”{near}"));
            }
            ("word", Some(key)) if !registry.figures.contains_key(key) => {
                let near = near(key, registry.figures.keys().map(String::as_str));
                self.fault(call.args[0].position(), format!("no law declares the figure “{key}”{near}"));
            }
            ("holder" | "holders" | "appoint" | "vacate", Some(office)) if !stage.is_office(office) => {
                self.fault(call.args[0].position(), format!("there is no office “{office}”"));
            }
            ("all" | "find" | "count" | "create", Some(kind)) => match registry.kinds_of(stage, kind) {
                Some(kinds) => {
                    let with = call.args.get(1);
                    for (attr, at) in keys(with).into_iter().filter(|(attr, _)| attr != "name") {
                        self.attribute(&kinds, &attr, at);
                    }
                }
                None => {
                    let known = registry.kinds.iter().chain(registry.classes.keys());
                    let near = near(&kind_id(kind), known.map(String::as_str));
                    self.fault(call.args[0].position(), format!("no rule knows a {kind}{near}"));
                }
            },
            _ => {}
        }
    }

    /// Holds an act that is named, and what it is given, against what it is.
    fn act(&mut self, call: &FnCallExpr, act: &str, at: Position) {
        let (stage, registry) = (self.stage, self.registry);
        let (name, called) = (registry.heard_as(self.law, act), &*call.name);
        if let Some(display) = act.strip_prefix("show ").filter(|_| called == "line") {
            let is_there = registry.displays.contains_key(display) || stage.has_display(display);
            if !is_there && !stage.is_listed(display) && !self.is_written(display) {
                self.fault(at, format!("there is no display “{display}”"));
            }
            return;
        }
        let Some((decl, _)) = registry.acts.get(name) else {
            let is_event = called == "perform";
            let is_of_game = matches!(called, "ask" | "line" | "times" | "unask") && stage.has_act(name);
            let hears = [registry.followers.contains_key(name), registry.bars.contains_key(name)];
            if self.is_written(act) || is_of_game || is_event && hears.contains(&true) {
                return;
            }
            let known = registry.acts.keys().chain(registry.followers.keys()).map(String::as_str);
            match slip(act, known) {
                Some(near) => self.fault(at, format!("no law has the act “{act}”; “{near}” comes nearest")),
                // Whatever is performed and is no act is an event, which a rule to come may follow.
                None if is_event => {}
                None => self.fault(at, format!("no law has the act “{act}”")),
            }
            return;
        };
        let Some((_, place)) = GIVES_TO_ACTS.iter().find(|(known, _)| *known == called) else { return };
        let with = call.args.get(*place);
        if with.is_some_and(|with| !matches!(with, Expr::Map(..)) && !is_empty_map(with)) {
            return;
        }
        let given = keys(with);
        for (key, at) in &given {
            if key != "by" && !decl.params.iter().any(|param| param.name == *key) {
                let near = near(key, decl.params.iter().map(|param| param.name.as_str()));
                self.fault(*at, format!("“{act}” takes no “{key}”{near}"));
            }
        }
        // Whoever is asked or told gives the rest.
        if matches!(called, "ask" | "line") {
            return;
        }
        let is_missing =
            |param: &&super::declared::ParamDecl| !param.optional && !given.iter().any(|(key, _)| *key == param.name);
        if let Some(missing) = decl.params.iter().find(is_missing) {
            self.fault(at, format!("“{act}” needs “{}”: #{{{}: ..}}", missing.name, missing.name));
        }
    }
}

/// A known name that a word is probably a slip of.
fn slip<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names::nearest(word, known, SLIP_MIN_SHARE)
}

/// How alike a name has to be to one that there is, where one that there is not may be meant.
const SLIP_MIN_SHARE: f64 = 0.88;

fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    params::nearest(word, known).map_or_else(String::new, |near| format!("; “{near}” comes nearest"))
}
