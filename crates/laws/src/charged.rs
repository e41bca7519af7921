//! Functions of the engine that cost more the more they touch: they are charged by the size of it.
//!
//! The engine's own versions live in a second engine, to which each of these hands on what it was given. Those that call
//! a script back for each article are counted there, and stay as they are.

use std::{
    any::TypeId,
    ops::{Range, RangeInclusive},
    sync::Arc,
};

use rhai::{Array, Dynamic, Engine, FuncRegistration, ImmutableString, Map, Module, NativeCallContext, RhaiFunc};

use super::{
    fault::{Given, faulty},
    weight::{bytes, gone_through, made, touched},
};

/// What a function takes.
#[derive(Clone, Copy)]
enum Takes {
    Any,
    Char,
    Int,
    List,
    Map,
    Range,
    RangeInclusive,
    Text,
}

use Takes::{Any, Char, Int, List, Map as AMap, Range as ARange, RangeInclusive as ARangeInclusive, Text};

impl Takes {
    fn id(self) -> TypeId {
        match self {
            Any => TypeId::of::<Dynamic>(),
            Char => TypeId::of::<char>(),
            Int => TypeId::of::<i64>(),
            List => TypeId::of::<Array>(),
            AMap => TypeId::of::<Map>(),
            ARange => TypeId::of::<Range<i64>>(),
            ARangeInclusive => TypeId::of::<RangeInclusive<i64>>(),
            Text => TypeId::of::<ImmutableString>(),
        }
    }
}

/// The functions that are charged, each with every form in which they are.
const CHARGED: &[(&[&str], &[&[Takes]])] = &[
    (&["+"], &[&[Text, Text], &[Text, Char], &[Char, Text], &[List, List], &[AMap, AMap]]),
    (&["==", "!="], &[&[List, List], &[AMap, AMap]]),
    (&["print", "debug", "to_string", "to_debug"], &[&[List], &[AMap], &[Text]]),
    (&["to_upper", "to_lower", "make_upper", "make_lower", "trim", "to_chars", "to_blob"], &[&[Text]]),
    (&["contains", "index_of", "remove"], &[&[Text, Text], &[Text, Char]]),
    (&["index_of"], &[&[Text, Text, Int], &[Text, Char, Int], &[List, Any], &[List, Any, Int]]),
    (&["contains"], &[&[List, Any]]),
    (&["sub_string", "crop"], &[&[Text, Int], &[Text, Int, Int], &[Text, ARange], &[Text, ARangeInclusive]]),
    (&["replace"], &[&[Text, Text, Text], &[Text, Text, Char], &[Text, Char, Text], &[Text, Char, Char]]),
    (&["pad"], &[&[List, Int, Any]]),
    (&["split", "split_rev"], &[&[Text, Text], &[Text, Text, Int], &[Text, Char], &[Text, Char, Int]]),
    (&["split"], &[&[Text], &[Text, Int], &[List, Int]]),
    (&["pop"], &[&[Text, Int]]),
    (&["append", "+="], &[&[List, List]]),
    (&["mixin", "fill_with", "+="], &[&[AMap, AMap]]),
    (&["keys", "values", "to_json"], &[&[AMap]]),
    (&["reverse", "dedup", "sort", "sort_desc", "order", "order_desc"], &[&[List]]),
    (&["chop"], &[&[List, Int]]),
    (&["extract", "drain", "retain"], &[&[List, Int, Int], &[List, ARange], &[List, ARangeInclusive]]),
    (&["extract"], &[&[List, Int]]),
    (&["splice"], &[&[List, Int, Int, List], &[List, ARange, List], &[List, ARangeInclusive, List]]),
];

/// Those that add to a list or a map, and leave what it holds as it is.
const ADDED_TO: &[&str] = &["+=", "append", "fill_with", "mixin"];

/// Puts the charged functions of an engine before those that it has, which are as in another one.
pub(crate) fn register(engine: &mut Engine, own: &Arc<Engine>) {
    let mut module = Module::new();
    for (names, forms) in CHARGED {
        for name in *names {
            for takes in *forms {
                add(&mut module, name, takes, own);
            }
        }
    }
    engine.register_global_module(module.into());
    // The engine's own moves the text for each letter.
    engine.register_fn("pad", |context: NativeCallContext<'_>, text: &mut ImmutableString, count: i64, with: char| {
        pad(&context, text, count, with.encode_utf8(&mut [0; 4]))
    });
    engine.register_fn(
        "pad",
        |context: NativeCallContext<'_>, text: &mut ImmutableString, count: i64, with: ImmutableString| {
            pad(&context, text, count, &with)
        },
    );
}

/// Fills a text up to so many letters.
fn pad(context: &NativeCallContext<'_>, text: &mut ImmutableString, count: i64, with: &str) -> Given<()> {
    let wanted = usize::try_from(count).unwrap_or_default();
    let missing = wanted.saturating_sub(text.chars().count());
    if missing == 0 || with.is_empty() {
        return Ok(());
    }
    if wanted > context.engine().max_string_size() {
        return Err(faulty("a text becomes too large for a law"));
    }
    made(text.len() + missing)?;
    let letters = with.chars().count();
    let mut made = text.to_string() + with.repeat(missing / letters).as_str();
    made.extend(with.chars().take(missing % letters));
    *text = made.into();
    Ok(())
}

fn add(module: &mut Module, name: &'static str, takes: &[Takes], own: &Arc<Engine>) {
    let own = own.clone();
    let charged = move |context: Option<NativeCallContext<'_>>, args: &mut [&mut Dynamic]| -> Given<Dynamic> {
        // What is added to is worked with where it is.
        let is_added_to = ADDED_TO.contains(&name);
        match &*args {
            [held, added @ ..] if is_added_to => {
                touched(held)?;
                gone_through(added.iter().map(|held| &**held))?;
            }
            all => gone_through(all.iter().map(|held| &**held))?,
        }
        if let ("replace", [text, old, new]) = (name, &*args) {
            made(bytes(text) / bytes(old).max(1) * bytes(new).max(1))?;
        }
        let Some(context) = context else { return Ok(Dynamic::UNIT) };
        let (state, at) = (context.global_runtime_state(), context.call_position());
        let got = NativeCallContext::from((&*own, name, None, state, at)).call_native_fn_raw(name, true, args)?;
        let changed = args.first().filter(|_| !is_added_to);
        gone_through(changed.map(|held| &**held).into_iter().chain([&got]))?;
        Ok(got)
    };
    // Whether it may be called on a constant, the function itself says.
    let func = RhaiFunc::Method { func: Arc::new(charged), has_context: true, is_pure: true, is_volatile: true };
    let ids: Vec<TypeId> = takes.iter().map(|takes| takes.id()).collect();
    FuncRegistration::new(name).in_global_namespace().set_into_module_raw(module, ids, func);
}
