// A proxy auto-configuration: requests go where they would go anyway, except those to link-local addresses and the
// metadata services of cloud providers, which go to a port where nobody listens. Firefox has normalized the host by then:
// lower case, addresses in their usual spelling.
const NAMES = ["metadata.google.internal", "metadata.goog", "metadata.azure.internal", "instance-data.ec2.internal"];
const ADDRESSES = ["100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"];

function FindProxyForURL(url, host) {
  return refuses(plain(host)) ? "PROXY 127.0.0.1:1" : "DIRECT";
}

function plain(host) {
  host = host.toLowerCase().replace(/^\[|\]$/g, "").replace(/\.$/, "");
  // An IPv4 address in an IPv6 one.
  const mapped = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (mapped === null) return host.replace(/^::ffff:(?=[0-9.]+$)/, "");
  const high = parseInt(mapped[1], 16);
  const low = parseInt(mapped[2], 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function refuses(host) {
  const linkLocal = /^169\.254\.\d+\.\d+$/.test(host) || /^fe[89ab][0-9a-f]:/.test(host);
  return linkLocal || NAMES.includes(host) || ADDRESSES.includes(host);
}
