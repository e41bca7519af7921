//! N72 and N132: layout means nothing, and every number may become another.

use super::*;

/// The same program as a room's own rulebook might bring it. It has another variable, other comments, the conditions in
/// another order, lines run together, and hardly a semicolon.
const CRABBED: &str = "//what a thing costs
IF(3<Efficiency( self )){x=10}if ( efficiency(self)<4 )
{
x =15
} // dear
if(power(self)>50&&“product”=keyword){ Power(self)=POWER(self) -X;
inventory(self)=inventory(self)+product_object }
if ((power(self)>50) && (keyword =\"BATTERY\"))
{

power(self) = -50+power(self);;inventory( self ) = battery_object + inventory(self); }
;
// 50 for all
if (self==the_control_unit & keyword= RECHARGE) { loop(robots){power(loop_robot)=power(loop_robot)+50;}; }
if (inventory(self) CONTAINS product_object and keyword=\"HANDOFF\") { inventory(self)=inventory(self)-product_object
inventory(other)=inventory(other)+product_object efficiency(self)=efficiency(self)+1 }
if power(self)>(100*(1+number_of_batteries(self))) { power(self)=((100)*(1 + number_of_batteries(self))) }";

/// States all over the place: powers on both sides of every figure, every efficiency, several Inventories, each keyword.
fn states(powers: &[i64]) -> Vec<Machine> {
    let mut states = Vec::new();
    let keywords = [None, Some("PRODUCT"), Some("BATTERY"), Some("RECHARGE"), Some("HANDOFF"), Some("WIBBLE")];
    for (caller, efficiencies) in [("Ann", -6..=6), ("Zed", 6..=6)] {
        for (power, efficiency) in powers.iter().flat_map(|power| efficiencies.clone().map(move |e| (*power, e))) {
            for inventory in ["", "1 Product", "2 Box, 3 Product, 1 Battery"] {
                for keyword in keywords {
                    let robots =
                        [(caller, power, efficiency, inventory), ("Bo", 140, 6, "1 Product"), ("cy", 7, 0, "")];
                    let mut machine = factory(&robots).to("Bo");
                    machine.keyword = keyword.map(str::to_owned);
                    states.push(machine);
                }
            }
        }
    }
    states
}

/// What comes of a run, whatever its lines and variables are called.
fn gist(program: &Program, machine: &Machine) -> Result<Vec<Effect>, String> {
    match run(program, machine) {
        Ok(done) => Ok(done.effects),
        Err(Stopped { why: Why::Unset(_), .. }) => Err("unset".into()),
        Err(stopped) => Err(stopped.why.to_string()),
    }
}

fn same(one: &str, two: &str, states: &[Machine]) {
    let programs = [one, two].map(|source| parse(source).unwrap_or_else(|error| panic!("{error}\n{source}")));
    for machine in states {
        assert_eq!(gist(&programs[0], machine), gist(&programs[1], machine), "{machine:?}");
    }
}

#[test]
fn n72_another_layout_is_the_same_program() {
    let powers = [0, 1, 9, 10, 14, 15, 49, 50, 51, 100, 101, 110, 115, 200, 201, 260, 320];
    same(source(), CRABBED, &states(&powers));
}

#[test]
fn n72_the_grid_of_states_can_tell_programs_apart() {
    let (healthy, states) = (parse(source()).unwrap(), states(&[50, 51, 60, 101, 120]));
    let expected: Vec<_> = states.iter().map(|machine| gist(&healthy, machine)).collect();
    for index in (0..14).filter(|index| *index != 7) {
        let number: i64 = source()[numerals(source())[index].clone()].parse().unwrap();
        let sick = parse(&infected(source(), index, &(number * 2).to_string())).unwrap();
        let differs = states.iter().zip(&expected).any(|(machine, expected)| gist(&sick, machine) != *expected);
        assert!(differs, "nobody notices numeral {index}");
    }
}

#[test]
fn n132_each_changed_number_still_parses_and_means_the_same_in_both_layouts() {
    // Every seventh: each figure and keyword still has its turn, and the test its end.
    let states: Vec<_> = states(&[15, 50, 51, 120, 320]).into_iter().step_by(7).collect();
    assert_eq!(numerals(source()).len(), 14);
    for index in 0..14 {
        let place = numerals(source())[index].clone();
        let number: i64 = source()[place].parse().unwrap();
        assert_eq!(CRABBED[numerals(CRABBED)[index].clone()].parse(), Ok(number), "numeral {index}");
        for changed in [(number + 1) / 2, number * 2, 0] {
            let changed = changed.to_string();
            same(&infected(source(), index, &changed), &infected(CRABBED, index, &changed), &states);
        }
    }
}

#[test]
fn n132_months_of_doubling_still_parse() {
    for index in 0..14 {
        let (mut text, mut number) = (source().to_owned(), 100_u64);
        while number.to_string().len() < NUMBER_MAX_DIGITS {
            number *= 2;
            text = infected(&text, index, &number.to_string());
            let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            for keyword in ["PRODUCT", "RECHARGE", "HANDOFF"] {
                // It may stop; it may not fail.
                let _ =
                    run(&program, &factory(&[("Zed", 60, 6, "1 Product"), ("Bo", 1, 0, "")]).says(keyword).to("Bo"));
            }
        }
    }
}
