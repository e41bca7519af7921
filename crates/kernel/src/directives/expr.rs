//! Amounts and conditions, as players write them: `power of Ann + 1/3`, `count(players where power > 3) >= 2`.
//!
//! Rhai works them out, in a sandbox. It is given expressions only, no statement, loop, function or `eval`. Every
//! number is exact, and one counter of steps bounds all that a body asks for. It sees a room through [`Sight`], which
//! can change nothing. What cannot be worked out is refused with the character where it failed. Later scripts are to
//! run in the same engine, over the same sight.

mod functions;
mod lex;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use rhai::{AST, Array, Dynamic, Engine, EvalAltResult, NativeCallContext, ParseError, Position, Scope};

use self::lex::{Code, Constant, Wrong};
use super::sight::Sight;
use crate::Id;
use crate::Refusal;
use crate::Value;

/// Longest expression, in bytes: one that a player can still read.
pub const EXPRESSION_MAX_BYTES: usize = 2000;
/// Most steps that one body takes altogether, a look at one object being one: about a second.
pub const FUEL_MAX_STEPS: u64 = 1_000_000;
/// Longest list that an expression makes: all players of a large room several times over.
pub const LIST_MAX_ITEMS: usize = 10_000;
/// Longest text that an expression makes, in bytes.
pub const TEXT_MAX_BYTES: usize = 2000;
/// Longest numerator or denominator that an expression makes, in bits: more than any figure that is written out.
pub const NUMBER_MAX_BITS: u64 = 4096;
/// How deep an expression may nest in the engine.
const DEPTH_MAX_LEVELS: usize = 64;

/// Steps that are left, shared by everything that works for one body.
#[derive(Clone, Debug)]
pub(super) struct Fuel(Arc<AtomicU64>);

impl Fuel {
    /// Takes some steps; `false` where none are left.
    fn spend(&self, steps: u64) -> bool {
        let spent = self.0.fetch_add(steps, Ordering::Relaxed).saturating_add(steps);
        spent <= FUEL_MAX_STEPS
    }
}

/// Works expressions out, all with one supply of steps: one for each body.
pub struct Evaluator {
    engine: Engine,
    fuel: Fuel,
}

/// An expression that was read and can be worked out.
#[derive(Clone)]
pub struct Expr {
    ast: AST,
    constants: Arc<Vec<Known>>,
    origin: Arc<Vec<usize>>,
    text: Arc<str>,
}

impl Expr {
    /// Whether it names nothing of a room, so that it comes to the same in every one: `1 > 2`.
    pub fn is_fixed(&self) -> bool {
        let fixed = |held: &Dynamic| !held.is::<Words>() && !held.is::<Article>() && !held.is::<Self>();
        self.constants.iter().all(|constant| matches!(constant, Known::Whole(held) if fixed(held)))
    }
}

impl std::fmt::Debug for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Expr").field(&self.text).finish()
    }
}

/// What an expression is worked out with.
#[derive(Clone)]
struct Cx {
    sight: Arc<dyn Sight>,
    /// What `it` means.
    it: Option<Id>,
    fuel: Fuel,
}

/// A value in the engine: one type for all but yes and no, and lists.
#[derive(Clone, Debug)]
struct Held(Value);

/// The name of something in the room.
#[derive(Clone, Debug)]
struct Words(Arc<str>);

/// An article of a list that is written out: the name of something in the room, or else a text.
#[derive(Clone, Debug)]
struct Article(Arc<str>);

/// What is said of something: its name, or an adjective (`Ann is Active`); which of them depends on what it is said of.
#[derive(Clone)]
struct Said {
    cx: Cx,
    words: Arc<str>,
}

impl Said {
    /// Whether it holds of a value, where it is no name but what can hold of one.
    fn applies(&self, of: &Value) -> Option<bool> {
        match of {
            Value::Ref(obj) => self.cx.sight.applies(&self.words, obj),
            _ => None,
        }
    }
}

/// An attribute to be asked for.
#[derive(Clone)]
struct Asked {
    words: Arc<str>,
    cx: Cx,
}

/// A name of the code, as far as it is known before a room is.
#[derive(Clone)]
enum Known {
    Whole(Dynamic),
    Attr(Arc<str>),
}

/// A refusal on its way through the engine, with the character that it is about where that is known.
#[derive(Clone, Debug)]
struct Trouble {
    why: Refusal,
    at: Option<usize>,
}

type Outcome<T> = Result<T, Box<EvalAltResult>>;

fn trouble(why: Refusal) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(Trouble { why, at: None }), Position::NONE))
}

impl Default for Evaluator {
    fn default() -> Self {
        let fuel = Fuel(Arc::new(AtomicU64::new(0)));
        let mut engine = Engine::new_raw();
        let meter = fuel.clone();
        // The engine's own count begins anew in every condition; this one does not.
        engine.on_progress(move |_| (!meter.spend(1)).then_some(Dynamic::UNIT));
        engine.set_max_expr_depths(DEPTH_MAX_LEVELS, DEPTH_MAX_LEVELS);
        engine.set_max_array_size(LIST_MAX_ITEMS);
        engine.set_max_string_size(TEXT_MAX_BYTES);
        engine.set_fast_operators(false);
        engine.register_type_with_name::<Held>("value");
        functions::register(&mut engine, &fuel);
        Self { engine, fuel }
    }
}

/// Works one expression out, by itself.
///
/// # Errors
///
/// Why it cannot be read or has no value, with the character.
pub fn evaluate(sight: &Arc<dyn Sight>, text: &str) -> Result<Value, Refusal> {
    let evaluator = Evaluator::default();
    evaluator.evaluate(&evaluator.read(text)?, sight, None)
}

impl Evaluator {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and at which character.
    pub fn read(&self, text: &str) -> Result<Expr, Refusal> {
        let text = text.trim();
        if text.len() > EXPRESSION_MAX_BYTES {
            return Err(Refusal::new(format!("an expression has at most {EXPRESSION_MAX_BYTES} bytes")));
        }
        let code = lex::read(text).map_err(|Wrong { at, why }| placed(why, at, text))?;
        self.compile(code, &text.into())
    }

    fn compile(&self, code: Code, text: &Arc<str>) -> Result<Expr, Refusal> {
        let read = self.engine.compile_expression(&code.text);
        let ast = read.map_err(|ParseError(why, at)| {
            let say = match *why {
                rhai::ParseErrorType::ExprTooDeep => "this is nested too deep".to_owned(),
                _ => "this cannot be read".to_owned(),
            };
            placed(Refusal::new(say), origin(&code.origin, at).unwrap_or(1), text)
        })?;
        let mut constants = Vec::new();
        for constant in code.constants {
            constants.push(match constant {
                Constant::Value(value) => Known::Whole(dynamic(value)),
                Constant::Words(words) => Known::Whole(Dynamic::from(Words(words.into()))),
                Constant::Article(words) => Known::Whole(Dynamic::from(Article(words.into()))),
                Constant::Attr(words) => Known::Attr(words.into()),
                Constant::Condition(code) => Known::Whole(Dynamic::from(self.compile(code, text)?)),
            });
        }
        Ok(Expr { ast, constants: constants.into(), origin: code.origin.into(), text: text.clone() })
    }

    /// Works an expression out; `it` is what it speaks of where it names nobody.
    ///
    /// # Errors
    ///
    /// Why it has no value, and at which character.
    pub fn evaluate(&self, expr: &Expr, sight: &Arc<dyn Sight>, it: Option<&Id>) -> Result<Value, Refusal> {
        let cx = Cx { sight: sight.clone(), it: it.cloned(), fuel: self.fuel.clone() };
        run(&self.engine, expr, cx).map_err(|Trouble { why, at }| match at {
            Some(at) => placed(why, at, &expr.text),
            None => why,
        })
    }

    /// A name in an expression that means nothing in a room, whether or not working it out comes to it.
    pub fn unknown(&self, expr: &Expr, sight: &Arc<dyn Sight>) -> Option<Refusal> {
        let cx = Cx { sight: sight.clone(), it: None, fuel: self.fuel.clone() };
        functions::unmeant(expr, &cx)
    }

    /// Reads an expression and works it out.
    ///
    /// # Errors
    ///
    /// As [`Self::read`] and [`Self::evaluate`].
    pub fn value(&self, text: &str, sight: &Arc<dyn Sight>, it: Option<&Id>) -> Result<Value, Refusal> {
        self.evaluate(&self.read(text)?, sight, it)
    }

    /// Takes steps for something that is done beside expressions.
    ///
    /// # Errors
    ///
    /// Where none are left.
    pub(super) fn charge(&self, steps: usize) -> Result<(), Refusal> {
        charge(&self.fuel, steps)
    }

    /// How many steps were taken so far.
    pub fn spent(&self) -> u64 {
        self.fuel.0.load(Ordering::Relaxed)
    }
}

fn charge(fuel: &Fuel, steps: usize) -> Result<(), Refusal> {
    let left = fuel.spend(u64::try_from(steps).unwrap_or(u64::MAX));
    if left { Ok(()) } else { Err(exhausted()) }
}

fn exhausted() -> Refusal {
    Refusal::new(format!("this takes more than {FUEL_MAX_STEPS} steps to work out"))
}

fn run(engine: &Engine, expr: &Expr, cx: Cx) -> Result<Value, Trouble> {
    let mut scope = Scope::new();
    for (index, constant) in expr.constants.iter().enumerate() {
        let constant = match constant {
            Known::Whole(constant) => constant.clone(),
            Known::Attr(words) => Dynamic::from(Asked { words: words.clone(), cx: cx.clone() }),
        };
        scope.push_constant_dynamic(format!("n{index}"), constant);
    }
    scope.push_constant("cx", cx);
    let got: Dynamic = engine.eval_ast_with_scope(&mut scope, &expr.ast).map_err(|why| explain(*why, &expr.origin))?;
    value(got).map_err(|why| Trouble { why, at: None })
}

/// What the engine says, as a refusal.
fn explain(why: EvalAltResult, places: &[usize]) -> Trouble {
    let at = origin(places, why.position());
    let say = |text: &str| Trouble { why: Refusal::new(text), at };
    match why {
        EvalAltResult::ErrorRuntime(held, _) => match held.try_cast::<Trouble>() {
            Some(Trouble { why, at: inner }) => Trouble { why, at: inner.or(at) },
            None => say("this cannot be worked out"),
        },
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => {
            let inner = explain(*inner, places);
            Trouble { at: inner.at.or(at), ..inner }
        }
        EvalAltResult::ErrorTerminated(..) | EvalAltResult::ErrorTooManyOperations(_) => {
            Trouble { why: exhausted(), at: None }
        }
        EvalAltResult::ErrorStackOverflow(_) => say("this is nested too deep"),
        EvalAltResult::ErrorDataTooLarge(..) => say("this becomes too long"),
        EvalAltResult::ErrorMismatchDataType(wanted, ..) if wanted == "bool" => {
            say("“and”, “or” and “not” need conditions, such as power > 3, in brackets where “not” stands before one")
        }
        EvalAltResult::ErrorIndexingType(..) => {
            say("only one thing at a time has attributes; of a group ask for sum(GROUP, \"ATTRIBUTE\"), max or min")
        }
        _ => say("this cannot be worked out"),
    }
}

fn origin(places: &[usize], at: Position) -> Option<usize> {
    at.position().and_then(|column| places.get(column - 1)).copied()
}

/// A refusal that says where in an expression it arose.
fn placed(why: Refusal, at: usize, text: &str) -> Refusal {
    const SHOWN_CHARS: usize = 60;
    let skipped = at.saturating_sub(SHOWN_CHARS / 2);
    let shown: String = text.chars().skip(skipped).take(SHOWN_CHARS).collect();
    let (before, after) =
        (if skipped > 0 { "…" } else { "" }, if text.chars().nth(skipped + SHOWN_CHARS).is_some() { "…" } else { "" });
    Refusal { say: format!("{} (character {at} of “{before}{}{after}”)", why.say, shown.trim()), ..why }
}

/// A value as the engine holds it.
fn dynamic(value: Value) -> Dynamic {
    match value {
        Value::Bool(value) => Dynamic::from(value),
        Value::List(values) => Dynamic::from_array(values.into_iter().map(dynamic).collect()),
        value => Dynamic::from(Held(value)),
    }
}

/// What the engine holds, as a value.
fn value(held: Dynamic) -> Result<Value, Refusal> {
    if held.is_bool() {
        return Ok(Value::Bool(held.as_bool().unwrap_or_default()));
    }
    if held.is_array() {
        let list: Array = held.cast();
        return list.into_iter().map(value).collect::<Result<_, _>>().map(Value::List);
    }
    held.try_cast::<Held>().map(|held| held.0).ok_or_else(|| Refusal::new("this is no value"))
}

/// A condition, asked of one thing.
fn holds(context: &NativeCallContext<'_>, condition: &Expr, cx: &Cx, it: &Id) -> Outcome<bool> {
    let cx = Cx { it: Some(it.clone()), ..cx.clone() };
    let fail = |trouble: Trouble| Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(trouble), Position::NONE));
    match run(context.engine(), condition, cx).map_err(fail)? {
        Value::Bool(holds) => Ok(holds),
        other => Err(trouble(Refusal::new(format!("a condition is yes or no, and this is {other}")))),
    }
}

#[cfg(test)]
mod tests;
