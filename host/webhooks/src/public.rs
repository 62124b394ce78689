//! Which addresses are on the public internet.
//!
//! The tables follow IANA's registries of special-purpose addresses (RFC 6890): a block that is not globally reachable is
//! not public. Two more are not: multicast, and one public address that leads to a cloud's own platform.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// The IPv4 blocks that are not public: <https://www.iana.org/assignments/iana-ipv4-special-registry>.
const NOT_PUBLIC_V4: [Ipv4Net; 16] = [
    // "This network" (RFC 791); 0.0.0.0 reaches this machine.
    v4([0, 0, 0, 0], 8),
    // Private (RFC 1918).
    v4([10, 0, 0, 0], 8),
    // Shared by customers of a carrier (RFC 6598). Includes Alibaba Cloud's metadata, 100.100.100.200.
    v4([100, 64, 0, 0], 10),
    // Loopback (RFC 1122).
    v4([127, 0, 0, 0], 8),
    // Azure's platform, the resolver and agent of every virtual machine.
    v4([168, 63, 129, 16], 32),
    // Link-local (RFC 3927). Includes most clouds' metadata, 169.254.169.254.
    v4([169, 254, 0, 0], 16),
    // Private (RFC 1918).
    v4([172, 16, 0, 0], 12),
    // Protocol assignments (RFC 6890). Includes Oracle Cloud's metadata, 192.0.0.192.
    v4([192, 0, 0, 0], 24),
    // Documentation (RFC 5737).
    v4([192, 0, 2, 0], 24),
    // Relays of 6to4, deprecated (RFC 7526).
    v4([192, 88, 99, 0], 24),
    // Private (RFC 1918).
    v4([192, 168, 0, 0], 16),
    // Benchmarking (RFC 2544).
    v4([198, 18, 0, 0], 15),
    // Documentation (RFC 5737).
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    // Multicast (RFC 5771).
    v4([224, 0, 0, 0], 4),
    // Reserved (RFC 1112). Includes broadcast.
    v4([240, 0, 0, 0], 4),
];

/// Global unicast (RFC 4291), the only block that IANA assigns. Loopback, link-local, unique-local, multicast and the old
/// forms that contain an IPv4 address are all outside.
const GLOBAL_UNICAST: Ipv6Net = v6([0x2000, 0], 3);

/// The blocks within [`GLOBAL_UNICAST`] that are not public:
/// <https://www.iana.org/assignments/iana-ipv6-special-registry>.
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    // Protocol assignments (RFC 2928). Includes benchmarking, ORCHID, and Teredo, which contains an IPv4 address.
    v6([0x2001, 0], 23),
    // Documentation (RFC 3849, RFC 9637).
    v6([0x2001, 0x0db8], 32),
    v6([0x3fff, 0], 20),
    // 6to4, which contains an IPv4 address (RFC 3056).
    v6([0x2002, 0], 16),
];

/// IPv4 addresses as a translator shows them to hosts that have only IPv6 (RFC 6052).
const TRANSLATED: Ipv6Net = v6([0x0064, 0xff9b], 96);

/// Returns whether an address is on the public internet: globally reachable, and not multicast.
///
/// An IPv6 address that leads to an IPv4 address, mapped (`::ffff:0:0/96`) or translated (`64:ff9b::/96`), is public if
/// the IPv4 address is.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded_ipv4(address) {
            Some(embedded) => is_public_v4(embedded),
            None => GLOBAL_UNICAST.contains(&address) && !NOT_PUBLIC_V6.iter().any(|net| net.contains(&address)),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !NOT_PUBLIC_V4.iter().any(|net| net.contains(&address))
}

/// Returns the IPv4 address to which packets to this address are delivered, if it contains one.
fn embedded_ipv4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    if TRANSLATED.contains(&address) {
        let [.., a, b, c, d] = address.octets();
        return Some(Ipv4Addr::new(a, b, c, d));
    }
    address.to_ipv4_mapped()
}

const fn v4(octets: [u8; 4], prefix: u8) -> Ipv4Net {
    let [a, b, c, d] = octets;
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

/// Creates a block from its first two segments; the others are zero in all of the blocks above.
const fn v6(segments: [u16; 2], prefix: u8) -> Ipv6Net {
    let [a, b] = segments;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_addresses_are_not_public() {
        let special = [
            // Both ends of each IPv4 block.
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.0",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.0.0",
            "169.254.169.254",
            "169.254.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.192",
            "192.0.0.255",
            "192.0.2.0",
            "192.0.2.255",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.0",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            // IPv6: unspecified, loopback, discard-only, unique-local, link-local, site-local, multicast.
            "::",
            "::1",
            "100::1",
            "fc00::1",
            "fd00:ec2::254",
            "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "ff0e::1",
            // Documentation, benchmarking, ORCHID, segment routing.
            "2001:db8::1",
            "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:2::1",
            "2001:20::1",
            "5f00::1",
            // Addresses that contain a special IPv4 address: mapped, compatible, translated, 6to4, Teredo.
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::10.0.0.1",
            "2002:7f00:1::1",
            "2002:a9fe:a9fe::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        ];
        for address in special {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn addresses_next_to_special_blocks_are_public() {
        let public = [
            "1.0.0.0",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.15",
            "168.63.129.17",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2000::1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2003::1",
            "2606:4700:4700::1111",
            "3ffe::1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ];
        for address in public {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
