//! Hosts that pages never reach, unless they are allowed.

/// Without a relay that checks addresses, link-local and cloud metadata hosts are refused as they are written. If
/// they are allowed, there is a relay. The browser has normalized hosts by then; IPv6 addresses have no brackets here. `*`
/// stands for any characters, `?` for one or none.
pub const REFUSED_HOSTS: &[&str] = &[
    "169.254.*",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    // The same embedded in IPv6 addresses.
    "::ffff:a9fe:*",
    "::ffff:6464:64c8",
    "::ffff:a83f:8110",
    "::ffff:c000:c0",
    "::a9fe:*",
    "64:ff9b:*a9fe:*",
    "64:ff9b:*6464:64c8",
    "64:ff9b:*a83f:8110",
    "64:ff9b:*c000:c0",
    "2002:a9fe:*",
    "2002:6464:64c8:*",
    "2002:a83f:8110:*",
    "2002:c000:c0:*",
    // Such addresses with fewer digits are not assigned.
    "fe8?:*",
    "fe9?:*",
    "fea?:*",
    "feb?:*",
    "fd00:ec2::254",
    "fd20:ce::254",
    "metadata.google.internal",
    "metadata.google.internal.",
    "metadata.goog",
    "metadata.goog.",
    "metadata.azure.internal",
    "metadata.azure.internal.",
    "instance-data.ec2.internal",
    "instance-data.ec2.internal.",
];
