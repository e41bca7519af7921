//! Values of a cell, modulo 256, and how long they stay off zero when something is added again and again.

/// How often in a row a cell that was tested at `value`, not 0, is not 0 when tested again after each addition of
/// `sum`.
pub(super) fn repeats_not_zero(value: u8, sum: u8) -> u64 {
    let twos = sum.trailing_zeros();
    if sum == 0 || value.trailing_zeros() < twos {
        return u64::MAX;
    }
    // Where sum = odd * 2^twos, the first j with value + j * sum = 0 is -value / 2^twos / odd, modulo 2^(8 - twos).
    let odd = sum >> twos;
    // Newton's method: an odd number is its own inverse modulo 8, and each turn doubles the bits.
    let two = 2_u8;
    let inverse = odd.wrapping_mul(two.wrapping_sub(odd.wrapping_mul(odd)));
    let inverse = inverse.wrapping_mul(two.wrapping_sub(odd.wrapping_mul(inverse)));
    let first = (value.wrapping_neg() >> twos).wrapping_mul(inverse) & (u8::MAX >> twos);
    u64::from(first) - 1
}

/// A set of values of a cell, one bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct Values([u64; 4]);

impl Values {
    /// The values after each of `last + 1` additions.
    pub(super) fn span(value: u8, add: u8, last: u8) -> Values {
        let mut values = Values::default();
        values.insert(value);
        values.repeated(add, u64::from(last) + 1)
    }

    pub(super) fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    #[cfg(test)]
    fn contains(&self, value: u8) -> bool {
        self.0[usize::from(value >> 6)] >> (value & 63) & 1 == 1
    }

    pub(super) fn unite(&mut self, other: &Values) {
        for (one, other) in self.0.iter_mut().zip(other.0) {
            *one |= other;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Every value with `sum` added.
    fn shifted(&self, sum: u8) -> Values {
        let (words, bits) = (usize::from(sum >> 6), u32::from(sum & 63));
        let word = |index: usize| self.0[(index + 8 - words) % 4];
        let mut shifted = [0; 4];
        for (index, out) in shifted.iter_mut().enumerate() {
            *out = word(index) << bits | word(index + 3).checked_shr(64 - bits).unwrap_or(0);
        }
        Values(shifted)
    }

    /// How often in a row none of the values is 0 after each addition of `sum`, not 0.
    pub(super) fn repeats(&self, sum: u8) -> u64 {
        /// Every value that is divided by so many twos, in a word of a set.
        const DIVIDED: [u64; 6] = [
            !0,
            0x5555_5555_5555_5555,
            0x1111_1111_1111_1111,
            0x0101_0101_0101_0101,
            0x0001_0001_0001_0001,
            0x0001_0000_0001,
        ];
        // A value that is not divided by as many twos as the sum never comes to zero.
        let divided = DIVIDED[5.min(sum.trailing_zeros() as usize)];
        let mut values = Values(self.0.map(|word| word & divided));
        let mut least = u64::MAX;
        for (index, word) in values.0.iter_mut().enumerate() {
            while *word != 0 {
                let value = (64 * index) as u8 + word.trailing_zeros() as u8;
                // Zero is zero again after a whole round.
                let repeats = if value == 0 { (256 >> sum.trailing_zeros()) - 1 } else { repeats_not_zero(value, sum) };
                least = least.min(repeats);
                *word &= *word - 1;
            }
        }
        least
    }

    /// All values after 1 to `times` additions of `sum`.
    pub(super) fn repeated(&self, sum: u8, times: u64) -> Values {
        let times = times.min(256);
        let mut values = self.shifted(sum);
        let mut done = 1;
        while done < times {
            let more = done.min(times - done);
            let further = values.shifted(sum.wrapping_mul(more as u8));
            values.unite(&further);
            done += more;
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By trying.
    fn first_zero(values: &[u8], sum: u8) -> Option<u64> {
        (1..=256_u64).find(|&times| values.iter().any(|value| value.wrapping_add(sum.wrapping_mul(times as u8)) == 0))
    }

    #[test]
    fn how_long_a_value_stays_off_zero_is_what_trying_says() {
        for value in 1..=255 {
            for sum in 0..=255 {
                let repeats = first_zero(&[value], sum).map_or(u64::MAX, |first| first - 1);
                assert_eq!(repeats_not_zero(value, sum), repeats, "{value} {sum}");
            }
        }
    }

    /// A value, what is added to it, and how often but once.
    const SPANS: [(u8, u8, u8); 9] = [
        (1, 1, 0),
        (7, 3, 5),
        (200, 255, 40),
        (128, 2, 127),
        (64, 64, 1),
        (0, 255, 9),
        (249, 1, 6),
        (250, 1, 5),
        (3, 16, 2),
    ];

    #[test]
    fn how_long_a_set_stays_off_zero_is_what_trying_says() {
        for sum in 1..=255 {
            for (value, add, last) in SPANS {
                let members: Vec<u8> = (1..=u64::from(last) + 1).map(|times| add_times(value, add, times)).collect();
                let mut values = Values::default();
                members.iter().for_each(|&member| values.insert(member));
                let repeats = first_zero(&members, sum).map_or(u64::MAX, |first| first - 1);
                assert_eq!(values.repeats(sum), repeats, "{members:?} {sum}");
            }
        }
    }

    #[test]
    fn a_span_is_the_values_after_each_addition() {
        for add in [1, 2, 3, 254, 255] {
            for value in 0..=255 {
                for last in [0, 1, 2, 61, 62, 63, 64, 65, 127, 128, 200, 254, 255] {
                    let span = Values::span(value, add, last);
                    let mut expected = Values::default();
                    (1..=u64::from(last) + 1).for_each(|times| expected.insert(add_times(value, add, times)));
                    assert_eq!(span.0, expected.0, "{value} {add} {last}");
                }
            }
        }
    }

    #[test]
    fn what_a_set_comes_to_is_every_member_after_every_addition() {
        for times in [1, 2, 3, 7, 64, 255, 256, 1000] {
            for sum in [1, 2, 63, 64, 65, 128, 200, 255] {
                let values = Values::span(250, 3, 4);
                let repeated = values.repeated(sum, times);
                for value in 0..=u8::MAX {
                    let is_in =
                        (1..=times.min(256)).any(|time| values.contains(value.wrapping_sub(add_times(0, sum, time))));
                    assert_eq!(repeated.contains(value), is_in, "{value} {sum} {times}");
                }
            }
        }
    }

    fn add_times(value: u8, add: u8, times: u64) -> u8 {
        value.wrapping_add(add.wrapping_mul(times as u8))
    }
}
