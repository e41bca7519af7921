//! Numerals of the rules as people read them: which there are, and another in the place of one.
//!
//! What a law is made of is no text for people, and no numeral in it counts.

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use kernel::{
    Id, Num,
    directives::sight::rule_of,
    rulebook::{
        Text,
        numeral::{Form, Numeral},
    },
};

use super::{
    super::{
        fault::{Given, faulty, refused, stopped},
        registry::LAW,
        run::{On, on},
        values::{Obj, as_number, as_object, as_text, number},
        weight,
    },
    effects::of_rules,
    look::{charge, looks},
    pages,
};

/// The numbers that people read in a text, in order: neither dates and times nor what refers to something.
fn read(text: &Text) -> Vec<Numeral> {
    let laws: Vec<_> = text.fences().iter().filter(|fence| fence.info.eq_ignore_ascii_case(LAW)).collect();
    let is_number =
        |form: Form| matches!(form, Form::Whole | Form::Decimal | Form::Fraction | Form::Mixed | Form::Percent);
    let mut found = text.numerals(false);
    found.retain(|one| is_number(one.form) && laws.iter().all(|law| !law.at.contains(&one.at.start)));
    found
}

/// The rule that a script holds, and the numbers that people read in it.
fn of_rule(lent: &On<'_>, obj: &Id) -> Given<(Id, Vec<(Numeral, String)>)> {
    let rule = rule_of(obj).and_then(|rule| lent.stage.rules().in_force(rule));
    let rule = rule.ok_or_else(|| faulty("numerals are those of a rule in force: all(\"rule\"), rule(7)"))?;
    let visible = rule.text().visible();
    weight::gone_through([&Dynamic::from(visible.to_string())])?;
    let shown = |one: Numeral| {
        let shown = visible[one.at.clone()].to_owned();
        (one, shown)
    };
    Ok((rule.id().clone(), read(rule.text()).into_iter().map(shown).collect()))
}

fn numerals(lent: &On<'_>, rule: &Obj) -> Given<Array> {
    looks(lent)?;
    let (_, all) = of_rule(lent, &rule.0)?;
    charge(4 * all.len())?;
    let row = |(place, (one, shown)): (usize, (Numeral, String))| {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        Dynamic::from_map(Map::from([
            ("rule".into(), Dynamic::from(rule.clone())),
            ("place".into(), place.into()),
            ("shown".into(), shown.into()),
            ("value".into(), number(&one.value)),
        ]))
    };
    Ok(all.into_iter().enumerate().map(row).collect())
}

/// Writes a number where a numeral stands; gives how it is written, and what that changes as a page.
fn rewrite(lent: &mut On<'_>, numeral: &Map, to: &Dynamic, why: &str) -> Given<Map> {
    of_rules(lent)?;
    let to = as_number(to).ok_or_else(|| faulty("a number is written, and nothing else"))?;
    let part = |name: &str| numeral.get(name).cloned().unwrap_or_default();
    let place = part("place").as_int().ok().and_then(|place| usize::try_from(place).ok());
    let (Some(rule), Some(place)) = (as_object(&part("rule")), place) else {
        return Err(faulty("what is rewritten is one of the numerals of a rule: numerals(rule(7))[0]"));
    };
    let (rule, all) = of_rule(lent, &rule)?;
    let held = all.get(place).filter(|(_, shown)| as_text(&part("shown")).is_some_and(|was| was == *shown));
    let Some((one, shown)) = held else { return Err(refused("that number does not stand there any more")) };
    let written = written(shown, &to);
    let blocks = lent.stage.rewrite(&rule, one.at.clone(), &written, why).map_err(|why| stopped(why.into()))?;
    let page = Dynamic::from(pages::of_blocks(blocks)?);
    Ok(Map::from([("shown".into(), written.into()), ("page".into(), page)]))
}

/// A number as it is written where another stood: with the sign that the old one showed.
fn written(before: &str, value: &Num) -> String {
    let is_signed = before.starts_with('+') && *value > Num::default();
    format!("{}{value}", if is_signed { "+" } else { "" })
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("numerals", |rule: Obj| on(|lent| numerals(lent, &rule)));
    engine.register_fn("rewrite", |numeral: Map, to: Dynamic, why: ImmutableString| {
        on(|lent| rewrite(lent, &numeral, &to, &why))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_kept() {
        for (before, to, is) in [("+6", 12, "+12"), ("-6", -3, "-3"), ("+1", 0, "0"), ("5", 7, "7")] {
            assert_eq!(written(before, &Num::from(to)), is);
        }
    }

    #[test]
    fn no_numeral_of_a_law_is_read() {
        let text =
            Text::parse("It takes 2 of 3, at 10:30, `4` at most.\n\n```law\nlet n = 5;\n```\n\n```text\n6\n```\n");
        let shown: Vec<_> = read(&text).into_iter().map(|one| text.visible()[one.at].to_owned()).collect();
        assert_eq!(shown, ["2", "3", "4", "6"]);
    }
}
