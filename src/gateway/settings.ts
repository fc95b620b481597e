import { Type } from 'typebox';

export const gatewaySettings = Type.Object({
  CARILLON_MQTT_HOST: Type.String({
    default: '0.0.0.0',
    description: 'Address on which the gateway listens for MQTT.',
  }),
  CARILLON_MQTT_PORT: Type.Integer({
    default: 1883,
    minimum: -1,
    maximum: 65535,
    description: 'Port for MQTT over TCP. 0 selects a free port, -1 disables the listener.',
  }),
  CARILLON_MQTT_WEBSOCKET_PORT: Type.Integer({
    default: 8083,
    minimum: -1,
    maximum: 65535,
    description:
      'Port for MQTT over WebSocket, at `/mqtt` with subprotocol `mqtt`. 0 selects a free port, -1 disables the listener. Enabled by default, because browsers cannot use TCP and devices authenticate in the same CONNECT as over TCP.',
  }),
  CARILLON_MQTT_WEBSOCKET_ORIGINS: Type.String({
    default: '',
    description:
      'Origins of the pages that can connect by WebSocket, such as `https://www.example.com`, separated by commas. Empty: all origins, because a page also needs an access token. Clients other than browsers send no `Origin` header and are not checked.',
  }),
  CARILLON_MQTT_TLS_CERTIFICATE_FILE: Type.String({
    default: '',
    description:
      'File with the TLS certificate for devices, followed by the intermediate certificates (PEM). It enables MQTT over TLS and `wss` on the WebSocket port. Changed files are reloaded within seconds, and sessions stay open. A pair that does not match is logged as `tls-reload-rejected` and ignored. Empty: no TLS in the gateway; a proxy in front of it must provide TLS.',
  }),
  CARILLON_MQTT_TLS_KEY_FILE: Type.String({
    default: '',
    description: 'File with the key of the TLS certificate (PEM, without a passphrase).',
  }),
  CARILLON_MQTT_TLS_PORT: Type.Integer({
    default: 8883,
    minimum: -1,
    maximum: 65535,
    description:
      'Port for MQTT over TLS (1.2 or 1.3), used only with a TLS certificate. 0 selects a free port, -1 disables the listener.',
  }),
  CARILLON_MQTT_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Trusted proxies: addresses or networks, separated by commas. They must send the client address: in a PROXY protocol header (version 1 or 2) on the TCP and TLS ports, in `X-Forwarded-For` on the WebSocket port. Only proxies may connect from these addresses, because any client on a trusted address can spoof its source address. Empty: no trusted proxies.',
  }),
  CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: Type.Integer({
    default: 5000,
    minimum: 0,
    description:
      'Maximum number of connections that have no session yet. At the limit, a new connection closes the one that has waited longest. 0: no limit.',
  }),
  CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: Type.Integer({
    default: 20,
    minimum: 0,
    description:
      'Maximum number of connections without a session from one address (IPv6: from one /64). Behind a load balancer all devices share its address: add it to CARILLON_MQTT_TRUSTED_PROXIES, or set 0 (no limit) and limit connections in the load balancer.',
  }),
  CARILLON_GATEWAY_ACCEPTS_PER_ADDRESS_PER_SECOND: Type.Integer({
    default: 50,
    minimum: 0,
    description:
      'Maximum number of new connections per second from one address, on all ports together. The devices of an office or a carrier can share an address. 0: no limit, for example behind a load balancer.',
  }),
  CARILLON_GATEWAY_CONNECTS_PER_SECOND: Type.Integer({
    default: 500,
    minimum: 1,
    description:
      'Maximum number of CONNECTs processed per second, so that many devices that reconnect at the same time do not overload the databases. The others are rejected as busy and must retry.',
  }),
  CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: Type.Integer({
    default: 100_000,
    minimum: 1,
    description:
      'Maximum number of devices of one app that are connected to one gateway. If many apps share the gateway, this limits the capacity that one app can use.',
  }),
  CARILLON_GATEWAY_KEEPALIVE_SECONDS_MIN: Type.Integer({
    default: 30,
    minimum: 1,
    description: 'Shortest keep-alive, in seconds. If a device requests a shorter one, this value applies.',
  }),
  CARILLON_GATEWAY_KEEPALIVE_SECONDS_MAX: Type.Integer({
    default: 600,
    minimum: 30,
    maximum: 65_535,
    description: 'Longest keep-alive, in seconds. If a device requests a longer one or none, this value applies.',
  }),
  CARILLON_GATEWAY_DRAIN_SECONDS: Type.Integer({
    default: 60,
    minimum: 0,
    maximum: 3_600,
    description:
      'Time over which a gateway moves its devices to other gateways after SIGTERM, in seconds. A second SIGTERM stops it immediately. The process supervisor must wait longer than this.',
  }),
  CARILLON_GATEWAY_RECONCILE_SECONDS: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 600,
    description:
      'Interval in seconds at which a gateway compares all its sessions with the databases. If a NATS signal is lost, a notification or a takeover is delayed by at most this time.',
  }),
});
