//! Scripts in their parts: functions, chains, what is written out.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, FnPtr, Map, Position, Stmt};

/// A function of a script: its parameters, and what it does.
pub(crate) type Body = (Vec<String>, Arc<Vec<Stmt>>);

/// What is read of a script once, however often it is checked.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Its functions, by the engine's names for them.
    pub(crate) bodies: BTreeMap<String, Body>,
    /// The names under which it declares something, and those of what it sets: `.asked` of `a.asked = 1`.
    pub(crate) written: BTreeSet<String>,
}

impl Parts {
    /// Those of a script.
    pub(crate) fn of(ast: &AST) -> Self {
        Self { bodies: bodies(ast), written: written(ast) }
    }
}

fn bodies(ast: &AST) -> BTreeMap<String, Body> {
    let all = ast.iter_functions().map(|function| {
        let name = function.name.to_owned();
        let mut own = ast.clone_functions_only();
        own.retain_functions(|_, _, other, _| other == name);
        let mut does = Vec::new();
        own.walk(&mut |path: &[ASTNode<'_>]| {
            if let [ASTNode::Stmt(stmt)] = path {
                does.push((*stmt).clone());
            }
            true
        });
        (name, (function.params.iter().map(|&param| param.to_owned()).collect(), Arc::new(does)))
    });
    all.collect()
}

/// Functions that declare something by a name.
const DECLARES: &[&str] = &["action", "condition", "deed", "display", "kind"];

fn written(ast: &AST) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)))
                if DECLARES.contains(&&*call.name) =>
            {
                found.extend(text(call.args.first()).map(str::to_owned));
            }
            Some(ASTNode::Stmt(Stmt::Assignment(is))) => {
                if let (Expr::Variable(..), [Link::Member(name, _)]) = (chain(&is.1.lhs).0, &chain(&is.1.lhs).1[..]) {
                    found.insert(format!(".{name}"));
                }
            }
            _ => {}
        }
        true
    });
    found
}

/// Whether an expression, in the place of a statement, does nothing.
pub(super) fn is_without_effect(expr: &Expr) -> bool {
    match expr {
        Expr::Variable(..) | Expr::IntegerConstant(..) | Expr::StringConstant(..) | Expr::And(..) | Expr::Or(..) => {
            true
        }
        Expr::FnCall(call, _) => call.op_token.is_some(),
        Expr::Dot(..) | Expr::Index(..) => matches!(chain(expr).1.last(), Some(Link::Member(..) | Link::Place(_))),
        _ => false,
    }
}

/// The texts that are written out and of which one is what an expression gives: both of `if a { "x" } else { "y" }`.
pub(super) fn outcomes(expr: &Expr) -> Vec<&str> {
    fn last<'a>(all: &'a [Stmt], found: &mut Vec<&'a str>) {
        match all.last() {
            Some(Stmt::Expr(is)) => found.extend(outcomes(is)),
            Some(Stmt::If(flow, _)) => {
                last(flow.body.statements(), found);
                last(flow.branch.statements(), found);
            }
            Some(Stmt::Block(block)) => last(block.statements(), found),
            _ => {}
        }
    }
    let mut found = Vec::new();
    match expr {
        Expr::StringConstant(text, _) => found.push(text.as_str()),
        Expr::Stmt(block) => last(block.statements(), &mut found),
        _ => {}
    }
    found
}

/// A text that is written out.
pub(super) fn text(expr: Option<&Expr>) -> Option<&str> {
    match expr {
        Some(Expr::StringConstant(text, _)) => Some(text),
        _ => None,
    }
}

/// The names of the places of a map that is written out.
pub(super) fn keys(expr: Option<&Expr>) -> Vec<(String, Position)> {
    match expr {
        Some(Expr::Map(all, _)) => all.0.iter().map(|(key, _)| (key.name.to_string(), key.pos)).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn is_empty_map(expr: &Expr) -> bool {
    matches!(expr, Expr::DynamicConstant(held, _) if held.read_lock::<Map>().is_some_and(|map| map.is_empty()))
}

/// A function that is written out, by the engine's name for it, and what it captures.
pub(super) fn closure_of(expr: &Expr) -> Option<(String, Vec<Expr>)> {
    match expr {
        Expr::DynamicConstant(held, _) => Some((held.read_lock::<FnPtr>()?.fn_name().to_owned(), Vec::new())),
        Expr::Stmt(block) => {
            let [Stmt::Share(_), Stmt::Expr(call)] = block.statements() else { return None };
            let Expr::FnCall(call, _) = &**call else { return None };
            let (function, captured) = call.args.split_first().filter(|_| &*call.name == "curry")?;
            Some((closure_of(function)?.0, captured.to_vec()))
        }
        _ => None,
    }
}

/// What stands behind the first name of a chain.
pub(super) enum Link<'a> {
    Member(&'a str, Position),
    Method(&'a FnCallExpr),
    Place(&'a Expr),
}

/// A chain in its parts: `rows[0].owner.name` is `rows` with three links.
pub(super) fn chain(expr: &Expr) -> (&Expr, Vec<Link<'_>>) {
    let mut links = Vec::new();
    let (root, mut rest, mut is_place, mut ends) = match expr {
        Expr::Dot(is, ..) => (&is.lhs, &is.rhs, false, false),
        Expr::Index(is, flags, _) => (&is.lhs, &is.rhs, true, flags.contains(ASTFlags::BREAK)),
        other => return (other, links),
    };
    loop {
        let (own, next) = match rest {
            Expr::Dot(is, ..) if !(is_place && ends) => (&is.lhs, Some((&is.rhs, false, false))),
            Expr::Index(is, flags, _) if !(is_place && ends) => {
                (&is.lhs, Some((&is.rhs, true, flags.contains(ASTFlags::BREAK))))
            }
            other => (other, None),
        };
        links.push(match own {
            place if is_place => Link::Place(place),
            Expr::Property(name, at) => Link::Member(&name.2, *at),
            Expr::MethodCall(call, _) => Link::Method(call),
            other => Link::Place(other),
        });
        match next {
            Some(next) => (rest, is_place, ends) = next,
            None => return (root, links),
        }
    }
}
