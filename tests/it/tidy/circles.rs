//! Files that name each other in a circle can only be understood together, so a circle has few files.
//!
//! A file leads to another where its code names an item of it. Imports and `mod` lines alone lead nowhere: a name counts
//! where it is used, and belongs to the file that defines it, whatever re-exports it. What is there for tests alone does
//! not count.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::{hold, source::File};

/// Most files that may name each other in a circle.
const CIRCLE_MAX_FILES: usize = 4;

/// A module's place in its crate: nothing for the root.
type Place = Vec<String>;

/// The files that each file leads to, with the names that lead there.
type Arrows<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>;

/// A module of a crate, without its tests.
#[derive(Default)]
struct Module<'a> {
    /// The file that its text stands in.
    file: &'a str,
    /// What each name stands for that it imports.
    imports: BTreeMap<String, Vec<String>>,
    /// What it imports every name of.
    globs: Vec<Vec<String>>,
    /// Every path that its code names.
    named: BTreeSet<Vec<String>>,
}

/// The modules of one crate.
struct Crate<'a> {
    /// The folder of its sources.
    folder: &'a str,
    files: BTreeMap<&'a str, &'a File>,
    modules: BTreeMap<Place, Module<'a>>,
}

impl<'a> Crate<'a> {
    /// Reads the crate whose sources lie in a folder.
    fn read(folder: &'a str, files: &'a [File]) -> Self {
        let inside = files.iter().filter(|file| file.is_rust() && file.is_below(&[folder]));
        let files = inside.map(|file| (file.path.as_str(), file)).collect();
        let mut found = Self { folder, files, modules: BTreeMap::new() };
        let root = ["lib.rs", "main.rs"].iter().find_map(|name| found.files.get(format!("{folder}{name}").as_str()));
        if let Some(root) = root.copied() {
            found.add_file(Place::new(), root);
        }
        found
    }

    fn add_file(&mut self, place: Place, file: &'a File) {
        let items = syn::parse_file(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path)).items;
        self.add(place, &file.path, &items);
    }

    fn add(&mut self, place: Place, file: &'a str, items: &[syn::Item]) {
        let mut module = Module { file, ..Module::default() };
        for item in items {
            module.visit_item(item);
            let syn::Item::Mod(inner) = item else { continue };
            if is_test(&inner.attrs) {
                continue;
            }
            let child: Place = place.iter().cloned().chain([inner.ident.to_string()]).collect();
            let stem = format!("{}{}", self.folder, child.join("/"));
            let mut names = [format!("{stem}.rs"), format!("{stem}/mod.rs")].into_iter();
            if let Some((_, items)) = &inner.content {
                self.add(child, file, items);
            } else if let Some(file) = names.find_map(|name| self.files.get(name.as_str()).copied()) {
                self.add_file(child, file);
            }
        }
        self.modules.insert(place, module);
    }

    /// The module that a path leads to from a place, and the item of it that the path goes on to. A path that leads out of
    /// the crate, or to what has no file of its own, gives nothing.
    fn resolve(&self, place: &[String], path: &[String]) -> Option<(Place, Option<String>)> {
        let mut place = place.to_vec();
        let mut path = path.to_vec();
        // Whether a name that is no module and no import must be an item of the module.
        let mut is_inside = false;
        // A re-export may lead to another; none leads on for ever.
        for _ in 0..32 {
            let Some(head) = path.first().cloned() else { return Some((place, None)) };
            let child: Place = place.iter().chain([&head]).cloned().collect();
            match head.as_str() {
                "crate" => place.clear(),
                "self" => {}
                "super" => drop(place.pop()),
                _ if self.modules.contains_key(&child) => place = child,
                _ => {
                    let import = self.modules.get(&place).and_then(|module| module.imports.get(&head));
                    // `use name;` re-exports a macro of the module itself.
                    match import.filter(|import| **import != [head.as_str()]) {
                        Some(import) => {
                            path.splice(..1, import.iter().cloned());
                            is_inside = false;
                            continue;
                        }
                        None => return is_inside.then_some((place, Some(head))),
                    }
                }
            }
            path.remove(0);
            is_inside = true;
        }
        None
    }

    fn arrows(&self) -> Arrows<'a> {
        let mut arrows = Arrows::new();
        for (place, module) in &self.modules {
            let globs = module.globs.iter().filter_map(|path| self.resolve(place, path));
            let globs = globs.map(|(to, item)| (to, item.unwrap_or_else(|| "*".to_owned())));
            let named = module.named.iter().filter_map(|path| self.resolve(place, path));
            let named = named.filter_map(|(to, item)| Some((to, item?)));
            for (to, item) in globs.chain(named) {
                let Some(to) = self.modules.get(&to).filter(|to| to.file != module.file) else { continue };
                arrows.entry(module.file).or_default().entry(to.file).or_default().insert(item);
            }
        }
        arrows
    }
}

impl Module<'_> {
    fn import(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let path = |name: &syn::Ident| -> Vec<String> {
            let name = (*name != "self" || prefix.is_empty()).then(|| name.to_string());
            prefix.iter().cloned().chain(name).collect()
        };
        match tree {
            syn::UseTree::Path(to) => self.import(&path(&to.ident), &to.tree),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(prefix, tree)),
            syn::UseTree::Glob(_) => self.globs.push(prefix.to_vec()),
            syn::UseTree::Rename(to) => drop(self.imports.insert(to.rename.to_string(), path(&to.ident))),
            syn::UseTree::Name(to) => {
                let path = path(&to.ident);
                self.imports.insert(path.last().cloned().unwrap_or_default(), path);
            }
        }
    }

    /// Finds the paths in what a macro is given, which has no syntax yet.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let sign = |at: Option<usize>, wanted: char| {
            let token = at.and_then(|at| tokens.get(at));
            matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == wanted)
        };
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                TokenTree::Literal(literal) => self.read_text(&literal.to_string()),
                TokenTree::Ident(head) => {
                    let (last, before) = (at.checked_sub(1), at.checked_sub(2));
                    // A method or a field, and not the end of a range; what goes on a path behind a type; a lifetime.
                    let goes_on = (sign(last, '.') && !sign(before, '.')) || (sign(last, ':') && sign(before, ':'));
                    let mut path = vec![head.to_string()];
                    while sign(Some(at + 1), ':') && sign(Some(at + 2), ':') {
                        let Some(TokenTree::Ident(next)) = tokens.get(at + 3) else { break };
                        path.push(next.to_string());
                        at += 3;
                    }
                    if !goes_on && !sign(last, '\'') {
                        self.named.insert(path);
                    }
                }
                TokenTree::Punct(_) => {}
            }
            at += 1;
        }
    }

    /// Finds the constants that a text to be filled in names.
    fn read_text(&mut self, text: &str) {
        for rest in text.split('{').skip(1) {
            let name = rest.split(['}', ':']).next().unwrap_or_default();
            if syn::parse_str::<syn::Ident>(name).is_ok() {
                self.named.insert(vec![name.to_owned()]);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Module<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.import(&[], &item.tree);
        }
    }

    /// A module within the file is read as one of its own.
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.named.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.read_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether something is there for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

/// Every file that can be reached from one.
fn reached<'a>(arrows: &Arrows<'a>, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&'a str> = arrows.get(from).into_iter().flat_map(BTreeMap::keys).copied().collect();
    while let Some(file) = next.pop() {
        if found.insert(file) {
            next.extend(arrows.get(file).into_iter().flat_map(BTreeMap::keys));
        }
    }
    found
}

/// The circles of at least two files: all that lead to each other.
fn circles<'a>(arrows: &Arrows<'a>) -> BTreeSet<BTreeSet<&'a str>> {
    let reached: BTreeMap<&'a str, _> = arrows.keys().map(|file| (*file, reached(arrows, file))).collect();
    let circle = |file: &'a str| -> BTreeSet<&'a str> {
        let back = |other: &&&str| reached.get(**other).is_some_and(|from| from.contains(file));
        reached[file].iter().filter(back).copied().collect()
    };
    arrows.keys().map(|file| circle(file)).filter(|circle| circle.len() > 1).collect()
}

/// The folders of sources, one a crate.
fn folders(files: &[File]) -> BTreeSet<&str> {
    let roots = files.iter().filter_map(|file| {
        let folder = ["lib.rs", "main.rs"].iter().find_map(|name| file.path.strip_suffix(name))?;
        Some(folder).filter(|folder| folder.ends_with("/src/") || *folder == "src/")
    });
    roots.collect()
}

fn rule(files: &[File]) -> Vec<String> {
    let mut findings = Vec::new();
    for folder in folders(files) {
        let arrows = Crate::read(folder, files).arrows();
        for circle in circles(&arrows).into_iter().filter(|circle| circle.len() > CIRCLE_MAX_FILES) {
            findings.push(format!("{folder}: {} files name each other in a circle", circle.len()));
            for from in &circle {
                for (to, names) in arrows[from].iter().filter(|(to, _)| circle.contains(*to)) {
                    let names = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                    findings.push(format!("    {from} -> {to}: {names}"));
                }
            }
        }
    }
    findings
}

/// A ring of files, each of which leads to the next in another way.
const RING: [(&str, &str); 9] = [
    ("src/lib.rs", "mod alias;\nmod reexport;\nmod call;\nmod text;\nmod child;\nmod inline;\npub use call::three;"),
    ("src/alias.rs", "use crate::reexport::{self, One as Two};\npub struct Six;\nfn f(_: Two) {}"),
    ("src/reexport.rs", "pub struct One;\nfn f() { super::three(); }"),
    ("src/call.rs", "pub fn three() { assert_eq!(1, crate::text::four()); }"),
    ("src/text.rs", "use super::child::FIVE;\npub fn four() -> usize { format!(\"{FIVE}\").len() }"),
    ("src/child.rs", "mod inner;\npub const FIVE: u8 = inner::FIVE;"),
    ("src/child/inner.rs", "use crate::inline as outer;\npub const FIVE: u8 = outer::deep::FIVE;"),
    ("src/inline.rs", "pub mod deep { pub const FIVE: u8 = 5; fn f(_: super::super::alias::Six) {} }"),
    ("src/apart.rs", "fn f() { crate::alias::g() }"),
];

#[test]
fn no_circle_has_more_than_four_files() {
    let told = rule(&RING.map(|(path, text)| File::new(path, text))).join("\n");
    for name in ["alias", "reexport", "call", "text", "child", "child/inner", "inline"] {
        assert!(told.contains(&format!("    src/{name}.rs -> ")), "{name} is not seen:\n{told}");
    }
    assert!(told.starts_with("src/: 7 files") && !told.contains("apart.rs"), "{told}");

    // Without its last arrow it is no ring; an import alone is no arrow, and neither is what a test names.
    let last = "use super::alias::Six;\npub mod deep { pub const FIVE: u8 = 5; }\n\
                #[cfg(test)]\nmod tests { fn f(_: crate::alias::Six) {} }";
    hold(rule, &[], &RING.map(|(path, text)| (path, if path == "src/inline.rs" { last } else { text })));
}
