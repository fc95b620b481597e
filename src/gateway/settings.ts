import { Type } from 'typebox';

export const gatewaySettings = Type.Object({
  CARILLON_MQTT_HOST: Type.String({
    default: '0.0.0.0',
    description: 'Address on which the gateway listens for MQTT connections.',
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
      'Port for MQTT over WebSocket, with the path `/mqtt` and the subprotocol `mqtt`. Browsers need this port, because they cannot use MQTT over TCP. 0 selects a free port, -1 disables the listener.',
  }),
  CARILLON_MQTT_WEBSOCKET_ORIGINS: Type.String({
    default: '',
    description:
      'Origins of the web pages that can connect over WebSocket, separated by commas, such as `https://www.example.com`. If empty, pages of all origins can connect, but every connection needs an access token. Connections without an `Origin` header, which do not come from browsers, are not checked.',
  }),
  CARILLON_MQTT_TLS_CERTIFICATE_FILE: Type.String({
    default: '',
    description:
      'PEM file with the TLS certificate of the gateway, followed by the intermediate certificates. It enables MQTT over TLS, and `wss` on the WebSocket port. The gateway reloads changed files within seconds and keeps connections open. If certificate and key do not match, it ignores the new files and logs `tls-reload-rejected`. If empty, the gateway does not use TLS, and a proxy in front of it must provide TLS.',
  }),
  CARILLON_MQTT_TLS_KEY_FILE: Type.String({
    default: '',
    description: 'PEM file with the private key of the TLS certificate, without a passphrase.',
  }),
  CARILLON_MQTT_TLS_PORT: Type.Integer({
    default: 8883,
    minimum: -1,
    maximum: 65535,
    description:
      'Port for MQTT over TLS 1.2 or 1.3. It is used only if a TLS certificate is set. 0 selects a free port, -1 disables the listener.',
  }),
  CARILLON_MQTT_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'IP addresses or CIDR ranges of trusted proxies, separated by commas. On the TCP and TLS ports, a proxy must send the client address in a PROXY protocol header, version 1 or 2. On the WebSocket port, it must send the client address in `X-Forwarded-For`. Allow only proxies to connect from these addresses, because any other client there could spoof its address. If empty, no proxy is trusted.',
  }),
  CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: Type.Integer({
    default: 5000,
    minimum: 0,
    description:
      'Maximum number of connections without a session, which have not completed CONNECT. At the limit, a new connection closes the one that has waited longest. 0 means no limit.',
  }),
  CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: Type.Integer({
    default: 20,
    minimum: 0,
    description:
      'Maximum number of connections without a session from one IPv4 address or one IPv6 /64 network. Behind a load balancer, all devices have its address. In that case, add the address to `CARILLON_MQTT_TRUSTED_PROXIES`, or set 0 (no limit) and limit connections in the load balancer.',
  }),
  CARILLON_GATEWAY_ACCEPTS_PER_ADDRESS_PER_SECOND: Type.Integer({
    default: 50,
    minimum: 0,
    description:
      'Maximum number of new connections per second from one address, on all ports together. Consider that the devices of an office or a mobile carrier can share an address. 0 means no limit, for example behind a load balancer.',
  }),
  CARILLON_GATEWAY_CONNECTS_PER_SECOND: Type.Integer({
    default: 500,
    minimum: 1,
    description:
      'Maximum number of CONNECT packets that the gateway processes per second. It protects the databases when many devices reconnect at the same time. The gateway rejects further devices as busy, and they must reconnect later. Devices that were connected to this gateway before have a separate limit of the same size.',
  }),
  CARILLON_GATEWAY_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE: Type.Integer({
    default: 120,
    minimum: 0,
    description:
      'Maximum number of CONNECT packets with an unknown access token per minute from one IPv4 address or one IPv6 /64 network. At the limit, the gateway rejects devices from this address as busy, except those that were connected to this gateway before. 0 means no limit, for example behind a load balancer that is not in `CARILLON_MQTT_TRUSTED_PROXIES`.',
  }),
  CARILLON_GATEWAY_SESSIONS_MAX: Type.Integer({
    default: 200_000,
    minimum: 1,
    description:
      'Maximum number of devices that are connected to one gateway. The gateway rejects further devices as busy. Set it according to the memory and the open files of the process.',
  }),
  CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: Type.Integer({
    default: 100_000,
    minimum: 1,
    description:
      'Maximum number of devices of one app that are connected to one gateway. It limits the capacity of a shared gateway that one app can use.',
  }),
  CARILLON_GATEWAY_KEEPALIVE_SECONDS_MIN: Type.Integer({
    default: 30,
    minimum: 1,
    description: 'Shortest keep-alive, in seconds. It also applies to devices that request a shorter keep-alive.',
  }),
  CARILLON_GATEWAY_KEEPALIVE_SECONDS_MAX: Type.Integer({
    default: 600,
    minimum: 30,
    maximum: 65_535,
    description:
      'Longest keep-alive, in seconds. It also applies to devices that request a longer keep-alive, or none (0).',
  }),
  CARILLON_GATEWAY_DRAIN_SECONDS: Type.Integer({
    default: 60,
    minimum: 0,
    maximum: 3_600,
    description:
      'Seconds in which a gateway disconnects its devices after SIGTERM, so that they reconnect to other gateways. A second SIGTERM stops the gateway immediately. The process supervisor must wait longer than this time plus `CARILLON_READINESS_DELAY_SECONDS`.',
  }),
  CARILLON_GATEWAY_RECONCILE_SECONDS: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 600,
    description:
      'Interval in seconds at which a gateway compares its sessions with the databases. If a NATS signal is lost, a notification or the takeover of a connection is delayed by at most this time.',
  }),
});
