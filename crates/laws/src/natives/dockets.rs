//! Numbered documents and votes on them: what a law declares of them, and what votes come to.

use std::collections::BTreeMap;

use rhai::{Array, Dynamic, Engine, FnPtr, ImmutableString, Map};

use kernel::{Id, directives::sight::rule_object};

use super::{
    super::{
        ballots,
        declared::{AttrDecl, kind_id},
        declaring::Hook,
        docket_decl::{
            self, AMISS, BEFORE, BallotDecl, DocketDecl, EARLY, FIRST, FORESEES, HEAD, IMPLIED, LATEST, MARK, Means,
            NEEDED, OFFERS, ON, PAGE, TURN, Title, VOTERS, WEIGHT, WITHDRAWN, WORDS,
        },
        fault::{Given, faulty, stopped},
        moments::instant_after,
        reads::Read,
        run::{On, noting, on},
        sealed,
        stage::InForce,
        values::{Args, Obj, as_number, as_text, held},
        weight,
    },
    declare::{add, declare, known, name, text, yes},
    effects::acts,
    papers,
};

/// A function of the program, in the place of one of a law.
fn native(of: &str, does: impl Fn(&mut On<'_>, &Args) -> Given<()> + Send + Sync + 'static) -> Given<FnPtr> {
    #[expect(deprecated, reason = "it is not deprecated, as the engine says: it may change with a version")]
    FnPtr::from_fn(of, move |_, args| {
        let given = args.first().map(|is| (**is).clone()).and_then(Dynamic::try_cast::<Args>);
        let given = given.ok_or_else(|| faulty("an act is done with what it is given"))?;
        on(|lent| does(lent, &given)).map(Dynamic::from)
    })
}

/// An option that is one word or a list of them.
pub(super) fn listed(options: &Map, name: &str) -> Given<Option<Vec<String>>> {
    let Some(is) = options.get(name) else { return Ok(None) };
    let list = match is.clone().try_cast::<Array>() {
        Some(list) => list,
        None => vec![is.clone()],
    };
    let words =
        list.iter().map(|word| as_text(word).ok_or_else(|| faulty(format!("“{name}” is a word, or a list of words"))));
    words.collect::<Given<_>>().map(Some)
}

/// An option that is a function.
fn function(options: &Map, name: &str) -> Option<FnPtr> {
    options.get(name)?.clone().try_cast::<FnPtr>()
}

/// An option that is a whole number from 0.
fn count(options: &Map, name: &str) -> Given<Option<u64>> {
    let Some(is) = options.get(name) else { return Ok(None) };
    let number = as_number(is).and_then(|number| number.to_u64());
    number.map(Some).ok_or_else(|| faulty(format!("“{name}” is a whole number from 0")))
}

/// Notes the functions that stand among options.
fn hooks(of: (&str, &str), options: &Map, names: &[&str]) -> Given<()> {
    for what in names {
        if let Some(does) = function(options, what) {
            let hook = Hook::Option(of.0.to_owned(), of.1.to_owned(), (*what).to_owned());
            declare(|declaring| declaring.hook(hook, &does))?;
        }
    }
    Ok(())
}

const DOCKET_OPTIONS: &[&str] = &[
    "called", "states", "open", "text", "title", "named", "make", "who", "limit", "first", "revise", "withdraw",
    "amiss", "mark", "turn", "dryrun", "help", "examples", "asks", "head", "foresees",
];

fn docket(kind: &str, options: &Map) -> Given<()> {
    known(options, DOCKET_OPTIONS)?;
    let kind = kind_id(kind);
    if kind.is_empty() || kind.contains(['/', '.', ' ', '|']) {
        return Err(faulty(format!("“{kind}” is no name of a kind of documents: one word, as in “proposal”")));
    }
    let mut states = listed(options, "states")?.unwrap_or_else(|| ["Open", "Done"].map(str::to_owned).to_vec());
    let first = states.first().cloned().ok_or_else(|| faulty("documents are in some state at first"))?;
    let open = listed(options, "open")?.unwrap_or_else(|| vec![first]);
    let (revise, withdraw) =
        (listed(options, "revise")?.unwrap_or_default(), listed(options, "withdraw")?.unwrap_or_default());
    if let Some(other) = open.iter().chain(&revise).chain(&withdraw).find(|state| !states.contains(state)) {
        return Err(faulty(format!("“{other}” is no state of a {kind}: those are {}", states.join(", "))));
    }
    if !withdraw.is_empty() && !states.iter().any(|state| state == WITHDRAWN) {
        states.push(WITHDRAWN.to_owned());
    }
    let changes = match text(options, "text")?.as_str() {
        "" | "words" => false,
        "changes" => true,
        other => return Err(faulty(format!("a text is “words” or “changes”, and not “{other}”"))),
    };
    let title = match text(options, "title")?.as_str() {
        "" | "no" => Title::No,
        "yes" => Title::Yes,
        "may be left out" => Title::MayBeLeftOut,
        other => return Err(faulty(format!("a title is “yes”, “no” or “may be left out”, and not “{other}”"))),
    };
    let make = text(options, "make")?;
    let called = listed(options, "called")?.unwrap_or_default();
    if called.len() > 2 {
        return Err(faulty("“called” is what one document is called, or a list of that and of what several are"));
    }
    let decl = DocketDecl {
        kind: kind.clone(),
        called,
        dryrun: yes(options, "dryrun")?,
        states: states.clone(),
        open,
        changes,
        title,
        named: yes(options, "named")?,
        make: make.clone(),
        limit: count(options, "limit")?,
        first: if function(options, FIRST).is_some() { 1 } else { count(options, FIRST)?.unwrap_or(1) },
        revise: revise.clone(),
        withdraw: withdraw.clone(),
    };
    declare(|declaring| {
        let declared = &mut declaring.declared;
        if declared.dockets.iter().any(|other| other.kind == kind) {
            return Err(faulty(format!("the documents “{kind}” are declared twice")));
        }
        if changes {
            declared.changes.push(kind.clone());
        }
        declared.kinds.push(kind.clone());
        let attr = |name: &str, range: String, nothing: &str| AttrDecl {
            name: name.to_owned(),
            of: kind.clone(),
            range,
            gone: String::new(),
            nothing: nothing.to_owned(),
            document: String::new(),
        };
        declared.attrs.extend([
            attr(docket_decl::TEXT, "text".to_owned(), ""),
            attr(docket_decl::BY, "a player".to_owned(), "somebody who has left"),
            attr(docket_decl::MADE, "a moment".to_owned(), ""),
            attr(docket_decl::STATE, format!("one of {}", states.join(", ")), ""),
            attr(docket_decl::REVISIONS, "whole number from 0, 0 at first".to_owned(), ""),
        ]);
        declared.dockets.push(decl.clone());
        Ok(())
    })?;
    hooks((&kind, ""), options, &[AMISS, FIRST, FORESEES, HEAD, MARK, TURN])?;
    let shown = decl.one();
    if !make.is_empty() {
        making(&decl, options)?;
    }
    let which = || {
        Dynamic::from(Map::from([
            ("takes".into(), format!("on: a {kind}").into()),
            ("help".into(), format!("The {shown}: its number, or its title").into()),
            ("empty".into(), "1".into()),
        ]))
    };
    let about = |what: &str, line: String| -> Map {
        Map::from([("help".into(), what.into()), ("examples".into(), Dynamic::from_array(vec![line.into()]))])
    };
    if !revise.is_empty() {
        let of = kind.clone();
        let does = native("revised", move |lent, args| papers::revised(lent, &of, args))?;
        let act = docket_decl::revise(&kind);
        let options = about(
            &format!("Put another text in the place of that of your {shown}"),
            format!("{act} 1 It shall be so."),
        );
        let new = Map::from([
            ("takes".into(), "text: long text".into()),
            ("help".into(), "The new text, the whole of it".into()),
        ]);
        add(&act, &options, &vec![which(), Dynamic::from(new)], false, &does)?;
    }
    if !withdraw.is_empty() {
        let of = kind.clone();
        let does = native("withdrawn", move |lent, args| papers::withdrawn(lent, &of, args))?;
        let act = docket_decl::withdraw(&kind);
        let options = about(&format!("Take back your {shown}"), format!("{act} 1"));
        add(&act, &options, &vec![which()], false, &does)?;
    }
    Ok(())
}

/// Declares the command that makes a document.
fn making(docket: &DocketDecl, options: &Map) -> Given<()> {
    let DocketDecl { kind, make, title, changes, .. } = docket;
    let (shown, title, changes) = (docket.one(), *title, *changes);
    let named = title != Title::No;
    let body = if changes { "=> set KEY to 3" } else { "It shall be so." };
    let example = if named { format!("{make} \"A title\" {body}") } else { format!("{make} {body}") };
    let mut of_act = Map::from([
        ("help".into(), format!("Make a {shown}").into()),
        ("examples".into(), Dynamic::from_array(vec![example.into()])),
    ]);
    for name in ["help", "examples", "who"] {
        if let Some(is) = options.get(name) {
            of_act.insert(name.into(), is.clone());
        }
    }
    let mut params = Array::new();
    if named {
        let takes = if title == Title::Yes { "title: text" } else { "title?: text" };
        params.push(Dynamic::from(Map::from([
            ("takes".into(), takes.into()),
            ("help".into(), "What it is called".into()),
        ])));
    }
    let help = match changes {
        true => "What shall change: words, and lines that begin with =>",
        false => "What it says",
    };
    params.push(Dynamic::from(Map::from([("takes".into(), "text: long text".into()), ("help".into(), help.into())])));
    if let Some(asks) = options.get("asks") {
        let asks = asks.clone().try_cast::<Array>();
        params.extend(
            asks.ok_or_else(|| faulty("“asks” is a list of what its maker says beside: [\"trivial?: yes/no\"]"))?,
        );
    }
    let of = kind.clone();
    let does = native("made", move |lent, args| papers::make(lent, &of, args))?;
    add(make, &of_act, &params, false, &does)
}

const BALLOT_OPTIONS: &[&str] = &[
    "name", "on", "words", "number", "marks", "voters", "weight", "latest", "lasts", "early", "remind", "needed",
    "secret", "help", "implied", "before", "also",
];

/// What a word of a vote means.
fn means(is: &Dynamic) -> Given<Means> {
    if let Some(map) = is.clone().try_cast::<Map>() {
        known(&map, &["defers", "does"])?;
        let does = text(&map, "does")?;
        return Ok(if does.is_empty() { Means::Defers(text(&map, "defers")?) } else { Means::Does(name(&does)?) });
    }
    match as_text(is).as_deref() {
        Some("for") => Ok(Means::For),
        Some("against") => Ok(Means::Against),
        Some("neither") => Ok(Means::Neither),
        _ => Err(faulty("a word of a vote is “for”, “against”, “neither”, #{defers: \"OFFICE\"} or #{does: \"ACT\"}")),
    }
}

fn lasting(options: &Map, name: &str) -> Given<String> {
    let words = text(options, name)?;
    let is_length =
        |lent: &mut On<'_>| instant_after(lent.stage.now(), &words).is_some() || lent.stage.due(&words).is_some();
    match words.is_empty() || on(|lent| is_length(lent)) {
        true => Ok(words),
        false => Err(faulty(format!("“{words}” of “{name}” is no length of time: “2 days”, “12 hours”"))),
    }
}

fn ballot(kind: &str, options: &Map) -> Given<()> {
    known(options, BALLOT_OPTIONS)?;
    let kind = kind_id(kind);
    let command = match text(options, "name")? {
        is if is.is_empty() => "vote".to_owned(),
        is => name(&is)?,
    };
    let mut words = match options.get("words") {
        Some(is) if is.is_fnptr() => Vec::new(),
        Some(is) => {
            let map =
                is.clone().try_cast::<Map>().ok_or_else(|| faulty("the words of a ballot are a map, or a function"))?;
            map.iter().map(|(word, is)| Ok((word.to_string(), means(is)?))).collect::<Given<Vec<_>>>()?
        }
        None if options.contains_key("number") => Vec::new(),
        None => [("FOR", Means::For), ("AGAINST", Means::Against), ("ABSTAIN", Means::Neither)]
            .map(|(word, means)| (word.to_owned(), means))
            .to_vec(),
    };
    words.sort_by(|(one, of_one), (other, of_other)| (of_one, one).cmp(&(of_other, other)));
    let number = match options.get("number").map(|is| is.clone().try_cast::<Array>()) {
        None => None,
        Some(bounds) => {
            let bounds: Vec<i64> = bounds.unwrap_or_default().iter().filter_map(|is| is.as_int().ok()).collect();
            match bounds[..] {
                [least, most] if least <= most => Some((least, most)),
                _ => return Err(faulty("“number” is two whole numbers, as in [1, 10]")),
            }
        }
    };
    let marks: BTreeMap<String, String> = match options.get("marks") {
        None => BTreeMap::new(),
        Some(is) => {
            let map = is.clone().try_cast::<Map>().ok_or_else(|| faulty("marks are a map: #{trivial: \"FOR\"}"))?;
            map.iter().map(|(mark, word)| (mark.to_string(), as_text(word).unwrap_or_default())).collect()
        }
    };
    let mut also = BTreeMap::new();
    if let Some(is) = options.get("also") {
        let map = is.clone().try_cast::<Map>().ok_or_else(|| faulty("other words are a map: #{FOR: [\"aye\"]}"))?;
        for word in map.keys().map(ToString::to_string) {
            also.extend(listed(&map, &word)?.map(|others| (word, others)));
        }
    }
    let on = if function(options, ON).is_some() { None } else { listed(options, ON)? };
    let is_final = options.get("latest").is_some_and(|is| is.as_bool() == Ok(false));
    let early = text_or_function(options, "early")?;
    if !["", "all"].contains(&early.as_str()) {
        return Err(faulty(format!("“early” is “all” or a function, and not “{early}”")));
    }
    let (lasts, remind) = (lasting(options, "lasts")?, lasting(options, "remind")?);
    let secret = yes(options, "secret")?;
    let help = text(options, "help")?;
    declare(|declaring| {
        let declared = &mut declaring.declared;
        if declared.ballots.iter().any(|other| other.kind == kind && other.name == command) {
            return Err(faulty(format!("“{command}” on “{kind}” is declared twice")));
        }
        let early = early == "all";
        let (kind, name) = (kind.clone(), command.clone());
        let (on, help, also) = (on.clone().unwrap_or_default(), help.clone(), also.clone());
        declared.ballots.push(BallotDecl {
            kind,
            name,
            on,
            words,
            number,
            marks,
            also,
            is_final,
            lasts,
            early,
            remind,
            secret,
            help,
        });
        Ok(())
    })?;
    let of = command.clone();
    let casts = native("cast", move |lent, args| papers::cast(lent, &of, args))?;
    declare(|declaring| declaring.hook(Hook::Cast(command.clone()), &casts))?;
    hooks((&kind, &command), options, &[ON, WORDS, VOTERS, WEIGHT, LATEST, EARLY, NEEDED, IMPLIED, BEFORE])
}

/// An option that is a text where it is no function.
fn text_or_function(options: &Map, name: &str) -> Given<String> {
    if function(options, name).is_some() { Ok(String::new()) } else { text(options, name) }
}

/// What any rule adds to documents of a kind.
fn beside(kind: &str, what: &'static str, does: &FnPtr) -> Given<()> {
    declare(|declaring| declaring.hook(Hook::Beside(kind_id(kind), what), does))
}

/// What the votes on a document come to.
fn votes(lent: &mut On<'_>, doc: &Obj, name: Option<&str>) -> Given<Map> {
    super::look::looks(lent)?;
    let tally = papers::asked_for(lent, &doc.0, name)?;
    weight::charge(tally.cast.len() * ROW_OPERATIONS)?;
    Ok(tally.map(lent.stage))
}

/// What a row of votes costs that a law has.
const ROW_OPERATIONS: usize = 6;

/// The vote of somebody on a document, as a row; nothing where e has none that counts. It asks for no weight: what a vote
/// weighs may follow from the votes of others.
fn vote_of(lent: &mut On<'_>, doc: &Obj, who: &Obj) -> Given<Dynamic> {
    super::look::looks(lent)?;
    weight::charge(ROW_OPERATIONS)?;
    let (registry, kind) = (lent.run.registry.clone(), ballots::kind_of(lent.stage, &doc.0));
    let Some(ballot) = ballots::first_on(&registry, &kind) else { return Ok(Dynamic::UNIT) };
    let vote = lent.stage.vote(&(doc.0.clone(), ballot.name.clone(), who.0.clone()));
    let (question, all, sealed) = ballots::all_cast(lent.stage, &doc.0, ballot);
    lent.run.reads.note(|| Read::Votes(question, all, sealed));
    let Some(vote) = vote.filter(|vote| !ballot.lacks(&vote.vote)) else { return Ok(Dynamic::UNIT) };
    let counts = ballots::may_vote(lent.stage, lent.run, (&doc.0, &who.0), ballot).map_err(stopped)?;
    Ok(if counts { Dynamic::from_map(ballots::row(&who.0, &vote)) } else { Dynamic::UNIT })
}

/// Takes votes off a document: all of them, or one voter's.
fn lapse(lent: &mut On<'_>, doc: &Obj, who: Option<&Obj>, name: Option<&str>) -> Given<()> {
    acts(lent)?;
    let kind = ballots::kind_of(lent.stage, &doc.0);
    let registry = lent.run.registry.clone();
    for ballot in ballots::on_kind(&registry, &kind).filter(|ballot| name.is_none_or(|name| ballot.name == name)) {
        let all = lent.stage.votes(&(doc.0.clone(), ballot.name.clone()));
        weight::charge(all.len())?;
        let is_meant = |by: &Id| who.is_none_or(|who| who.0 == *by);
        for (by, _) in all.into_iter().filter(|(by, _)| is_meant(by)) {
            lent.stage.set_vote(&(doc.0.clone(), ballot.name.clone(), by), None);
        }
        sealed::take_off(lent.stage, &(doc.0.clone(), ballot.name.clone()), is_meant);
    }
    Ok(())
}

/// What directives would bring, of a text or a document.
fn foresee(lent: &mut On<'_>, what: &Dynamic) -> Given<Map> {
    super::look::looks(lent)?;
    weight::charge(FORESEE_OPERATIONS)?;
    let doc = super::super::values::as_object(what);
    let text = doc.as_ref().map(|doc| ballots::words(lent.stage, doc, docket_decl::TEXT)).or_else(|| as_text(what));
    let text = text.ok_or_else(|| faulty("what is foreseen is a text of directives, or a document"))?;
    let seen = lent.stage.foresee(&text, doc.as_ref());
    let list = |all: Vec<String>| Dynamic::from_array(all.into_iter().map(Dynamic::from).collect());
    let rules = seen.rules.into_iter().map(|change| {
        Dynamic::from_map(Map::from([
            ("rule".into(), Dynamic::from(Obj(rule_object(&change.rule)))),
            ("number".into(), i64::from(change.number).into()),
            ("title".into(), change.title.into()),
            ("what".into(), change.what.into()),
            ("words".into(), change.words.into()),
            ("sets".into(), list(change.sets)),
        ]))
    });
    weight::charge(seen.rulebook.len())?;
    let rulebook = seen.rulebook.into_iter().map(|InForce { number, title, has }| {
        let has = has.into_iter().map(|(attr, is)| (attr.to_string().into(), held(&is)));
        let own = [("number".into(), i64::from(number).into()), ("title".into(), title.into())];
        Dynamic::from_map(own.into_iter().chain(has).collect())
    });
    Ok(Map::from([
        ("why".into(), seen.why.into()),
        ("directives".into(), i64::try_from(seen.directives).unwrap_or(i64::MAX).into()),
        ("prose".into(), seen.prose.into()),
        ("rules".into(), Dynamic::from_array(rules.collect())),
        ("figures".into(), list(seen.figures)),
        ("begins".into(), list(seen.begins)),
        ("ends".into(), list(seen.ends)),
        ("ways".into(), list(seen.ways.into_iter().collect())),
        ("rulebook".into(), Dynamic::from_array(rulebook.collect())),
    ]))
}

/// What it costs to do a text on a copy.
const FORESEE_OPERATIONS: usize = 2_000;

/// A rule in force by its number, or by its title.
fn rule(lent: &mut On<'_>, words: &str) -> Given<Obj> {
    match lent.stage.rules().find(words) {
        Ok(rule) => Ok(Obj(rule_object(rule.id()))),
        Err(why) => Err(super::super::fault::resting(why.say)),
    }
}

/// The rule whose law runs.
fn own_rule(lent: &On<'_>) -> Given<Obj> {
    let own = lent.run.rule().map(|rule| Obj(rule_object(rule)));
    own.ok_or_else(|| faulty("no rule runs this"))
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("rule", || on(|lent| own_rule(lent)));
    engine.register_fn("foresee", |what: Dynamic| on(|lent| foresee(lent, &what)));
    engine.register_fn("rule", |number: i64| on(|lent| rule(lent, &number.to_string())));
    engine.register_fn("rule", |title: ImmutableString| on(|lent| rule(lent, &title)));
    engine.register_fn("docket", |kind: ImmutableString| docket(&kind, &Map::new()));
    engine.register_fn("docket", |kind: ImmutableString, options: Map| docket(&kind, &options));
    engine.register_fn("ballot", |kind: ImmutableString| ballot(&kind, &Map::new()));
    engine.register_fn("ballot", |kind: ImmutableString, options: Map| ballot(&kind, &options));
    engine.register_fn("votes", |doc: Obj| noting(|lent| votes(lent, &doc, None)));
    engine.register_fn("votes", |doc: Obj, name: ImmutableString| noting(|lent| votes(lent, &doc, Some(&name))));
    engine.register_fn("vote_of", |doc: Obj, who: Obj| noting(|lent| vote_of(lent, &doc, &who)));
    engine.register_fn("page", |kind: ImmutableString, says: FnPtr| beside(&kind, PAGE, &says));
    engine.register_fn("offers", |kind: ImmutableString, offers: FnPtr| beside(&kind, OFFERS, &offers));
    engine.register_fn("lapse", |doc: Obj| on(|lent| lapse(lent, &doc, None, None)));
    engine.register_fn("lapse", |doc: Obj, name: ImmutableString| on(|lent| lapse(lent, &doc, None, Some(&name))));
    engine.register_fn("lapse", |doc: Obj, who: Obj| on(|lent| lapse(lent, &doc, Some(&who), None)));
}
