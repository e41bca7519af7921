//! A script as the engine holds it: read once, its functions kept apart from whatever they captured, its errors in words.
//!
//! A function of a script keeps nothing: what it captured is copied when it is declared, and again at each call.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
};

use rhai::{AST, ASTNode, Array, Dynamic, EvalAltResult, Expr, FnPtr, FuncInfo, Map, ParseError, Position, Stmt};

use super::{
    checker::syntax::Parts,
    engines::engines,
    fault::{Cause, Fault, Stop, TOO_DEEP, TOO_LONG},
    fuel::burn,
    limits::LAW_MAX_BYTES,
    literals,
    names::{called, form, names, nearest},
    touched::Touched,
};

/// A function of a law.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// The place of its law.
    pub(crate) law: usize,
    /// Its place in the law.
    pub(crate) place: usize,
    /// What it is called for, in words: `after vote`.
    pub(crate) name: String,
    /// Its place among all that is called for one thing, where it has one beside the number of its rule.
    pub(crate) rank: Option<i64>,
    /// The function.
    pub(crate) pointer: FnPtr,
}

/// A law as the engine holds it.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    /// The script.
    pub(crate) ast: AST,
    /// The texts that are written out in it: what is applied is one of these, or of a document.
    pub(crate) literals: BTreeSet<String>,
    /// The line at which each of its functions begins, by the engine's name for it.
    lines: BTreeMap<String, usize>,
    /// Functions that it calls, and that there are none of: it can be read, and goes wrong where it comes to them.
    pub(crate) unknown: Vec<Fault>,
    /// The numbers above 1 that are written out in it, each with its line.
    pub(crate) written: Vec<(i64, usize)>,
    /// Where the names lie by which it mentions a variable and copies nothing of it.
    pub(crate) touched: Touched,
    /// Whether it does the text of a document: not one that is written out in it.
    pub(crate) applies: bool,
    /// What a check reads of it, once it has.
    parts: OnceLock<Parts>,
}

impl Compiled {
    /// What a check reads of it.
    pub(crate) fn parts(&self) -> &Parts {
        self.parts.get_or_init(|| Parts::of(&self.ast))
    }

    /// Whether a function takes so many things. Of one that is no script's own, nobody knows.
    pub(crate) fn takes(&self, function: &FnPtr, count: usize) -> bool {
        let count = function.iter_curry().count() + count;
        let mut named = self.ast.iter_functions().filter(|is| is.name == function.fn_name()).peekable();
        named.peek().is_none() || named.any(|is| is.params.len() == count)
    }

    /// The line at which a function begins, from 1.
    pub(crate) fn line(&self, function: &FnPtr) -> usize {
        self.lines.get(function.fn_name()).copied().unwrap_or(1)
    }
}

/// How many scripts are kept compiled: those of a few rooms with all their documents.
const COMPILED_MAX_COUNT: usize = 1_024;

type Scripts = HashMap<Arc<str>, Arc<Compiled>>;

static COMPILED: LazyLock<Mutex<Scripts>> = LazyLock::new(Default::default);

/// Reads a law, once for each text.
///
/// # Errors
///
/// What is wrong with it, and where.
pub(crate) fn compile(source: &str) -> Result<Arc<Compiled>, Fault> {
    if let Some(known) = COMPILED.lock().unwrap_or_else(PoisonError::into_inner).get(source) {
        return Ok(known.clone());
    }
    if source.len() > LAW_MAX_BYTES {
        return Err(Fault::new(format!("a law has at most {LAW_MAX_BYTES} bytes, and this one {}", source.len())));
    }
    let ast = engines().acts.compile(source).map_err(|why| unreadable(&why))?;
    let natives = names();
    if let Some(function) = ast.iter_functions().find(|function| natives.contains(function.name)) {
        let why = format!("“{}” is a function of every law, and no script defines another", function.name);
        return Err(Fault::new(why));
    }
    handed_over(&ast)?;
    let (literals, lines) = (literals::of(source), lines(&ast));
    let (unknown, written, touched, applies) = (unknown(&ast), written(&ast), Touched::by(&ast), applies(&ast));
    let parts = OnceLock::new();
    let compiled = Arc::new(Compiled { ast, literals, lines, unknown, written, touched, applies, parts });
    let mut all = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= COMPILED_MAX_COUNT {
        all.clear();
    }
    all.insert(source.into(), compiled.clone());
    Ok(compiled)
}

/// Functions that take a function and keep none.
const TAKES_FUNCTION: &[&str] = &[
    "action",
    "after",
    "all",
    "at",
    "attempt",
    "change",
    "condition",
    "dedup",
    "deed",
    "display",
    "drain",
    "filter",
    "find",
    "find_map",
    "forbid",
    "for_each",
    "in_turn",
    "index_of",
    "map",
    "offers",
    "page",
    "part",
    "reduce",
    "reduce_rev",
    "retain",
    "some",
    "sort",
    "speaks_for",
    "whenever",
    "why_not",
];

/// Refuses a function that captures variables and stands anywhere but where it is handed to one that keeps none. Else a
/// script could put such functions into each other: without end, which ends the process, or in a circle, which is never
/// freed.
///
/// # Errors
///
/// Where it stands.
fn handed_over(ast: &AST) -> Result<(), Fault> {
    let mut kept = None;
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let [.., outer, ASTNode::Expr(Expr::Stmt(_)), ASTNode::Stmt(Stmt::Share(_))] = path else {
            if let [.., ASTNode::Stmt(Stmt::Share(_))] = path {
                kept = path.last().map(ASTNode::position);
            }
            return kept.is_none();
        };
        let takes = match outer {
            ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) => {
                TAKES_FUNCTION.contains(&call.name.as_str())
            }
            _ => false,
        };
        if !takes {
            kept = path.last().map(ASTNode::position);
        }
        takes
    });
    match kept {
        Some(at) => Err(placed(
            at,
            "a function that uses what stands around it is written where it is handed over; others are “fn name(..)”"
                .to_owned(),
        )),
        None => Ok(()),
    }
}

/// The line at which each function of a script begins, by the engine's name for it.
fn lines(ast: &AST) -> BTreeMap<String, usize> {
    let all = ast.shared_lib().iter_script_fn_info();
    all.filter_map(|(.., name, _, is)| Some((name.to_owned(), is.body.start_position().line()?))).collect()
}

/// The functions of the engine, each with how many things it takes; a method takes what it is called on as well.
pub(crate) static CALLED: LazyLock<BTreeMap<String, BTreeSet<usize>>> = LazyLock::new(|| {
    let mut called: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let all = |is: FuncInfo<'_>| Some((is.metadata.name.to_string(), is.metadata.num_params));
    for (name, count) in engines().acts.collect_fn_metadata(None, all, true) {
        called.entry(name).or_default().insert(count);
    }
    called
});

/// Functions that the engine knows beside those that are registered.
const OF_ENGINE: &[&str] = &["Fn", "call", "curry", "is_def_fn", "is_def_var", "is_shared", "type_of"];

/// The calls of functions that there are not, or that take another number of things.
fn unknown(ast: &AST) -> Vec<Fault> {
    let own: BTreeSet<(&str, usize)> = ast.iter_functions().map(|is| (is.name, is.params.len())).collect();
    let mut found: Vec<Fault> = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let (call, count) = match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _))) => (call, call.args.len()),
            Some(ASTNode::Expr(Expr::MethodCall(call, _))) => (call, call.args.len() + 1),
            _ => return true,
        };
        let name = &*call.name;
        let is_known = call.op_token.is_some()
            || OF_ENGINE.contains(&name)
            || own.contains(&(name, call.args.len()))
            || CALLED.get(name).is_some_and(|counts| counts.contains(&count));
        if !is_known && let Some(at) = path.last().map(ASTNode::position) {
            let why = match CALLED.get(name) {
                Some(_) if form(name).is_none() => format!("“{name}” takes another number of things"),
                Some(_) => not_found(&format!("{name} of {}", things(call.args.len()))),
                None => not_found(name),
            };
            let fault = placed(at, why);
            if !found.contains(&fault) {
                found.push(fault);
            }
        }
        true
    });
    found
}

/// Whether a script does the text of a document.
fn applies(ast: &AST) -> bool {
    let mut found = false;
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::FnCall(call, _))) = path.last()
            && call.name == "apply"
        {
            found |= !matches!(call.args.first(), Some(Expr::StringConstant(..)));
        }
        !found
    });
    found
}

/// The numbers above 1 that are written out in a script, each with its line.
fn written(ast: &AST) -> Vec<(i64, usize)> {
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::IntegerConstant(number, at))) = path.last()
            && *number > 1
        {
            found.push((*number, at.line().unwrap_or(1)));
        }
        true
    });
    found.sort_by_key(|(_, line)| *line);
    found
}

fn things(count: usize) -> String {
    if count == 1 { "1 thing".to_owned() } else { format!("{count} things") }
}

/// A function whose captured variables are its own, in whatever they are held.
pub(crate) fn frozen(pointer: &FnPtr) -> FnPtr {
    let mut frozen = pointer.clone();
    frozen.iter_curry_mut().for_each(|captured| *captured = apart(captured, CAPTURED_MAX_LEVELS));
    frozen
}

/// How deep captured values are copied: what lies deeper is none of what a law is made of, and is left out.
const CAPTURED_MAX_LEVELS: usize = 16;

/// A copy that shares nothing with what it was made of.
fn apart(held: &Dynamic, depth: usize) -> Dynamic {
    let flat = held.flatten_clone();
    if depth == 0 {
        return Dynamic::UNIT;
    }
    if !burn(1) {
        return flat;
    }
    if let Some(list) = flat.clone().try_cast::<Array>() {
        return Dynamic::from_array(list.iter().map(|held| apart(held, depth - 1)).collect());
    }
    if let Some(map) = flat.clone().try_cast::<Map>() {
        return Dynamic::from_map(map.iter().map(|(name, held)| (name.clone(), apart(held, depth - 1))).collect());
    }
    if let Some(mut pointer) = flat.clone().try_cast::<FnPtr>() {
        pointer.iter_curry_mut().for_each(|captured| *captured = apart(captured, depth - 1));
        return Dynamic::from(pointer);
    }
    flat
}

pub(crate) fn placed(at: Position, why: String) -> Fault {
    Fault { line: at.line(), column: at.position(), ..Fault::new(why) }
}

fn unreadable(why: &ParseError) -> Fault {
    let ParseError(what, at) = why;
    let what =
        what.to_string().replace("a boolean expression", "yes or no").replace("an iterable value", "a list or a range");
    placed(*at, format!("this cannot be read: {}{}", uncapital(&what), advice(&what)))
}

fn uncapital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
}

/// What helps with messages of the engine that players meet.
fn advice(message: &str) -> &'static str {
    if message.contains("reserved keyword") || message.contains("reserved symbol") {
        "; choose another name"
    } else if message.contains("cannot be assigned") {
        "; give it a name first, as in “let room = game();”"
    } else {
        ""
    }
}

/// Why the engine stopped.
pub(crate) fn explained(why: EvalAltResult) -> Stop {
    let at = why.position();
    let fault = |why: String| Stop::Fault(placed(at, why));
    match why {
        EvalAltResult::ErrorRuntime(held, at) => match held.try_cast::<Stop>() {
            Some(stop) => located(stop, at),
            None => fault("the law ended itself".to_owned()),
        },
        EvalAltResult::ErrorInFunctionCall(_, _, inner, at) => located(explained(*inner), at),
        EvalAltResult::ErrorTerminated(deep, _) if deep.as_bool() == Ok(false) => fault(TOO_LONG.to_owned()),
        EvalAltResult::ErrorTerminated(..) | EvalAltResult::ErrorStackOverflow(_) => fault(TOO_DEEP.to_owned()),
        EvalAltResult::ErrorDataTooLarge(what, _) => fault(format!("{} too large for a law", uncapital(&what))),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => fault(not_found(&signature)),
        EvalAltResult::ErrorDataRace(name, _) => fault(format!(
            "“{name}” is in use here; give what you need of it a name before the function, as in “let me = a.by;”"
        )),
        EvalAltResult::ErrorDotExpr(what, _) => match what.split('\'').collect::<Vec<_>>()[..] {
            [_, name, _, "()", ..] => fault(format!("there is nothing here that could have “{name}”")),
            [_, name, _, held, ..] => fault(format!("{} has no “{name}”", called(held))),
            _ => fault(uncapital(&what)),
        },
        EvalAltResult::ErrorIndexingType(what, _) => {
            let held = what.split(" [").next().unwrap_or_default();
            fault(format!("{} has no such place", called(held)))
        }
        EvalAltResult::ErrorArrayBounds(count, place, _) | EvalAltResult::ErrorStringBounds(count, place, _) => {
            fault(format!("there is no place {place}: there are {count}, and the first is 0"))
        }
        EvalAltResult::ErrorMismatchDataType(wanted, held, _) => {
            fault(format!("this is {}, and it takes {}", called(&held), called(&wanted)))
        }
        other => {
            let mut told = other;
            told.clear_position();
            let told = told.to_string();
            fault(format!("{}{}", uncapital(told.lines().next().unwrap_or_default()), advice(&told)))
        }
    }
}

/// A stop with its place, where it has none.
fn located(stop: Stop, at: Position) -> Stop {
    match stop {
        Stop::Fault(fault @ Fault { line: None, .. }) => {
            Stop::Fault(Fault { line: at.line(), column: at.position(), ..fault })
        }
        Stop::Refused(why, Cause::Other(Position::NONE)) => Stop::Refused(why, Cause::Other(at)),
        stop => stop,
    }
}

/// How alike a function has to be that is named in the place of one that there is not.
const NEAR_MIN_SHARE: f64 = 0.85;

/// What a function was given, as players call it: of `+ (i64, bool)`, a whole number and yes or no.
fn taken(signature: &str) -> String {
    match signature.split_once(" (").and_then(|(_, given)| given.strip_suffix(')')) {
        Some("") => "nothing".to_owned(),
        Some(given) => given.split(", ").map(called).collect::<Vec<_>>().join(" and "),
        None => signature.split_once(" of ").map_or(signature, |(_, count)| count).to_owned(),
    }
}

/// What is said of a function that there is not.
fn not_found(signature: &str) -> String {
    let name = signature.split(['(', ' ']).next().unwrap_or(signature);
    let of_engine = CALLED.keys().map(String::as_str).filter(|name| name.starts_with(char::is_alphabetic));
    let names: BTreeSet<&str> = names().iter().copied().chain(of_engine.filter(|name| !name.contains('$'))).collect();
    let takes = taken(signature);
    if let Some(form) = form(name) {
        return format!("“{name}” does not take {takes}; it is written {form}");
    }
    // An operator takes something, whatever it is.
    if CALLED.contains_key(name) || !name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
        return format!("“{name}” does not take {takes}");
    }
    match nearest(name, names, NEAR_MIN_SHARE) {
        Some(near) => {
            let form = form(near).map_or_else(String::new, |form| format!(": {form}"));
            format!("there is no function “{name}”; “{near}” comes nearest{form}")
        }
        None => format!("there is no function “{name}”"),
    }
}
