//! The ten programs that a hill starts with (J45), written for this project: ten for long arrays, ten for short ones.
//!
//! Each follows another strategy, told in its own comments. Together they are meant to make a lively hill. Everybody
//! beats some and loses to some, no pair sits out the cycle limit, and a challenge is over in a moment. All are written
//! in plain symbols, so that they are programs in every notation.

/// From arrays of so many cells on, in the middle of their range, a tournament starts with the programs for long ones.
/// Those run off the end of an array that is half as long as theirs.
const LONG_MIN_CELLS: usize = 80;

/// The starting programs for arrays of a length.
pub(super) fn house_for(middle: Option<usize>) -> [(&'static str, &'static str); 10] {
    if middle.is_some_and(|cells| cells < LONG_MIN_CELLS) { short_house() } else { house() }
}

/// Name and source of each starting program for short arrays, in the order of their numbers.
pub fn short_house() -> [(&'static str, &'static str); 10] {
    [
        ("joust0", include_str!("house/short/joust0.bf")),
        ("joust1", include_str!("house/short/joust1.bf")),
        ("joust2", include_str!("house/short/joust2.bf")),
        ("joust3", include_str!("house/short/joust3.bf")),
        ("joust4", include_str!("house/short/joust4.bf")),
        ("joust5", include_str!("house/short/joust5.bf")),
        ("joust6", include_str!("house/short/joust6.bf")),
        ("joust7", include_str!("house/short/joust7.bf")),
        ("joust8", include_str!("house/short/joust8.bf")),
        ("joust9", include_str!("house/short/joust9.bf")),
    ]
}

/// Name and source of each starting program, in the order of their numbers.
pub fn house() -> [(&'static str, &'static str); 10] {
    [
        ("joust0", include_str!("house/joust0.bf")),
        ("joust1", include_str!("house/joust1.bf")),
        ("joust2", include_str!("house/joust2.bf")),
        ("joust3", include_str!("house/joust3.bf")),
        ("joust4", include_str!("house/joust4.bf")),
        ("joust5", include_str!("house/joust5.bf")),
        ("joust6", include_str!("house/joust6.bf")),
        ("joust7", include_str!("house/joust7.bf")),
        ("joust8", include_str!("house/joust8.bf")),
        ("joust9", include_str!("house/joust9.bf")),
    ]
}

#[cfg(test)]
mod tests {
    use bfjoust::{Charge, Program, Reason, Rules, Scoring, Setup, play, score, warnings_as};

    use super::*;

    const COMMANDS: &str = "><+-.,[]";

    type House = [(&'static str, &'static str); 10];

    /// Each ten with the rules that they are written for, and how many cycles all their matches have at most.
    fn hills() -> [(House, Rules, u64); 2] {
        [(house(), Rules::agora(), 3_000_000), (short_house(), Rules::egojoust(), 6_000_000)]
    }

    fn programs(house: House) -> Vec<Program> {
        house.iter().map(|(_, source)| Program::parse(source).expect("balanced")).collect()
    }

    /// Every pair once, over all lengths and polarities, as (left, right, charges).
    fn round_robin(house: House, rules: &Rules) -> Vec<(usize, usize, Vec<Charge>)> {
        let programs = programs(house);
        let setups: Vec<Setup> = rules.setups().collect();
        let mut played = Vec::new();
        for right in 0..programs.len() {
            for left in 0..right {
                played.push((left, right, play(&programs[left], &programs[right], &setups, rules)));
            }
        }
        played
    }

    #[test]
    fn j45_ten_programs_named_joust0_to_joust9() {
        for (house, ..) in hills() {
            for (number, (name, _)) in house.iter().enumerate() {
                assert_eq!(*name, format!("joust{number}"));
            }
        }
    }

    #[test]
    fn every_program_says_its_strategy_in_lines_without_a_command() {
        for (house, rules, _) in hills() {
            for (name, source) in house {
                assert_eq!(warnings_as(source, rules.notation), [], "{name}");
                assert!(source.lines().next().is_some_and(|line| line.starts_with("The ")), "{name}");
                for line in source.lines() {
                    let commands = line.chars().filter(|sign| COMMANDS.contains(*sign)).count();
                    assert!(commands == 0 || commands == line.chars().count(), "{name}: {line}");
                }
            }
        }
    }

    #[test]
    fn they_are_the_same_programs_in_every_notation() {
        for (house, ..) in hills() {
            for (name, source) in house {
                let plain = Program::parse(source).expect("balanced");
                assert_eq!(Program::parse_as(source, Rules::egojoust().notation), Ok(plain), "{name}");
            }
        }
    }

    #[test]
    fn no_two_programs_are_the_same() {
        for (house, ..) in hills() {
            let programs = programs(house);
            for (index, program) in programs.iter().enumerate() {
                assert!(!programs[..index].contains(program), "joust{index}");
            }
        }
    }

    #[test]
    fn j35_house_programs_are_well_within_what_a_submitter_may_send() {
        for (name, source) in hills().into_iter().flat_map(|(house, ..)| house) {
            assert!(source.len() < crate::PROGRAM_MAX_BYTES / 100, "{name}");
        }
    }

    #[test]
    fn everybody_beats_some_and_loses_to_some() {
        for (house, rules, _) in hills() {
            let mut beaten = [0; 10];
            let mut lost = [0; 10];
            for (left, right, charges) in round_robin(house, &rules) {
                let (left_touches, right_touches) = score(&charges, &Scoring::agora());
                if left_touches != right_touches {
                    let left_won = left_touches > right_touches;
                    beaten[if left_won { left } else { right }] += 1;
                    lost[if left_won { right } else { left }] += 1;
                }
            }
            for program in 0..10 {
                assert!(beaten[program] >= 2 && lost[program] >= 2, "joust{program}: {beaten:?} {lost:?}");
            }
        }
    }

    #[test]
    fn no_pair_sits_out_the_limit_and_a_hill_is_played_in_a_moment() {
        for (house, rules, most_cycles) in hills() {
            let played = round_robin(house, &rules);
            let charges: Vec<Charge> = played.into_iter().flat_map(|(_, _, charges)| charges).collect();
            assert_eq!(charges.len(), 45 * rules.setups().count());
            assert!(charges.iter().all(|charge| charge.reason != Reason::Cap));
            let cycles: u64 = charges.iter().map(|charge| charge.cycles).sum();
            assert!(cycles < most_cycles, "{cycles} cycles");
        }
    }
}
