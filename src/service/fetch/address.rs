//! Which addresses lie on the public internet.
//!
//! Anybody may type a link, and it is fetched from inside the operator's network: without this, it reads pages that
//! only that network can see. IPv4 is judged by the registry of special-purpose addresses. Of IPv6 only addresses
//! assigned for general use count, and one that carries an IPv4 address is judged by that. Names are not judged: they
//! prove nothing before they are addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether anybody on the internet could reach this address.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        // This network, private, loopback.
        [0 | 10 | 127, ..] => true,
        // Shared by the customers of a carrier.
        [100, 64..=127, ..] => true,
        // Link-local: the metadata of clouds answers here.
        [169, 254, ..] => true,
        // Private.
        [172, 16..=31, ..] | [192, 168, ..] => true,
        // Protocol assignments, documentation, relays of 6to4.
        [192, 0, 0 | 2, _] | [198, 51, 100, _] | [203, 0, 113, _] | [192, 88, 99, _] => true,
        // Benchmarks.
        [198, 18 | 19, ..] => true,
        // Multicast, reserved, broadcast.
        [224..=255, ..] => true,
        _ => false,
    };
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        // An IPv4 address in the clothes of IPv6.
        [0, 0, 0, 0, 0, 0xffff, high, low] => inner(high, low),
        // Translation to IPv4 (NAT64), which networks without IPv4 use for every old host.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inner(high, low),
        // 6to4.
        [0x2002, high, low, ..] => inner(high, low),
        // Protocol assignments, Teredo and benchmarks among them.
        [0x2001, 0..=0x1ff, ..] => false,
        // Documentation.
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // General use. All else is loopback, link-local, unique local, multicast, or not assigned.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(address: &str) -> bool {
        is_public(address.parse().unwrap())
    }

    #[test]
    fn what_only_some_can_reach_is_not_public() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
        ] {
            assert!(!public(address), "{address}");
            let inner: Ipv4Addr = address.parse().unwrap();
            let [a, b, c, d] = inner.octets();
            assert!(!is_public(inner.to_ipv6_mapped().into()), "{address} mapped");
            assert!(!public(&format!("64:ff9b::{address}")), "{address} behind NAT64");
            assert!(!public(&format!("2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1")), "{address} behind 6to4");
        }
        for address in [
            "::",
            "::1",
            "::8.8.8.8",
            "::ffff:0:8.8.8.8",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:db8::1",
            "3fff::1",
            "3fff:fff::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!public(address), "{address}");
        }
    }

    #[test]
    fn what_everybody_can_reach_is_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:0808:0808::1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "3ffe::1",
        ] {
            assert!(public(address), "{address}");
        }
    }
}
