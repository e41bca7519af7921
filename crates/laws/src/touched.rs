//! Which mentions of variables in a script copy nothing: `l[0]`, `l.len()`, `l.push(x)`, `l = x`. All others do.
//!
//! The engine asks about each mention by its name alone. So a mention is known by where that name lies: these engines
//! share no texts, and each has its own.

use std::{cell::RefCell, collections::BTreeSet, sync::Arc};

use rhai::{AST, ASTNode, Expr, Stmt};

/// Where the names lie by which a script mentions a variable and copies nothing of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched(Arc<BTreeSet<usize>>);

thread_local! {
    /// Those of the script that runs.
    static RUNS: RefCell<Touched> = RefCell::default();
}

fn place(name: &str) -> usize {
    name.as_ptr().addr()
}

impl Touched {
    /// Those of a script.
    pub(crate) fn by(ast: &AST) -> Self {
        let mut found = BTreeSet::new();
        ast.walk(&mut |path: &[ASTNode<'_>]| {
            let Some((node, outer)) = path.split_last() else { return true };
            let root = match node {
                // What stands behind the first name of a chain is none by itself.
                ASTNode::Expr(is @ (Expr::Dot(chain, ..) | Expr::Index(chain, ..))) => match outer.last() {
                    Some(ASTNode::Expr(Expr::Dot(outer, ..) | Expr::Index(outer, ..)))
                        if std::ptr::eq(&outer.rhs, *is) =>
                    {
                        None
                    }
                    _ => Some(&chain.lhs),
                },
                ASTNode::Stmt(Stmt::Assignment(is)) => Some(&is.1.lhs),
                _ => None,
            };
            if let Some(Expr::Variable(name, ..)) = root {
                found.insert(place(&name.1));
            }
            true
        });
        Self(Arc::new(found))
    }

    /// Runs something of the script.
    pub(crate) fn running<T>(&self, runs: impl FnOnce() -> T) -> T {
        let outer = RUNS.replace(self.clone());
        let done = runs();
        RUNS.set(outer);
        done
    }
}

/// Whether a mention of a variable in the script that runs copies nothing of it.
pub(crate) fn is_touched(name: &str) -> bool {
    RUNS.with_borrow(|touched| touched.0.contains(&place(name)))
}
