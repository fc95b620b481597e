import { Type } from 'typebox';

export const gatewaySettings = Type.Object({
  CARILLON_MQTT_HOST: Type.String({ default: '0.0.0.0', description: 'Address that devices connect to by MQTT.' }),
  CARILLON_MQTT_PORT: Type.Integer({
    default: 1883,
    minimum: -1,
    maximum: 65535,
    description: 'Port for MQTT over TCP. 0 takes any free one, -1 keeps this door shut.',
  }),
  CARILLON_MQTT_WEBSOCKET_PORT: Type.Integer({
    default: 8083,
    minimum: -1,
    maximum: 65535,
    description:
      'Port for MQTT over WebSocket, at `/mqtt` with subprotocol `mqtt`. 0 takes any free one, -1 keeps this door shut. It is open by default: a device proves itself in the same CONNECT as over TCP, and browsers have no other way in.',
  }),
  CARILLON_MQTT_WEBSOCKET_ORIGINS: Type.String({
    default: '',
    description:
      'Origins of the pages that may connect by WebSocket, as `https://www.example.com`, separated by commas. Empty: all, since a page without a token gets nowhere. Clients that are not browsers name no origin and are not asked for one.',
  }),
  CARILLON_MQTT_TLS_CERTIFICATE_FILE: Type.String({
    default: '',
    description:
      'File with the certificate that devices are shown, and behind it those that lead to a root (PEM). With it there is MQTT over TLS, and the WebSocket port speaks `wss`. A new pair in the files is taken up within seconds, and sessions stay; one that does not fit is logged as `tls-reload-rejected` and changes nothing. Empty: no TLS here, and something in front of the gateway has to provide it.',
  }),
  CARILLON_MQTT_TLS_KEY_FILE: Type.String({
    default: '',
    description: 'File with the key of that certificate (PEM, without a passphrase).',
  }),
  CARILLON_MQTT_TLS_PORT: Type.Integer({
    default: 8883,
    minimum: -1,
    maximum: 65535,
    description:
      'Port for MQTT over TLS (1.2 or 1.3), if there is a certificate. 0 takes any free one, -1 keeps this door shut.',
  }),
  CARILLON_MQTT_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Addresses or networks of proxies, separated by commas, that are believed whose connection they bring. To the ports for TCP and TLS they must say it in a header of the PROXY protocol (version 1 or 2), and to the one for WebSocket in `X-Forwarded-For`. Nobody else may connect from there. Empty: nobody is believed.',
  }),
  CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: Type.Integer({
    default: 5000,
    minimum: 0,
    description:
      'How many connections may be on their way to a session at once. When one more comes, the one that has waited longest is cut off. 0: no limit.',
  }),
  CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: Type.Integer({
    default: 20,
    minimum: 0,
    description:
      'How many of them may come from one address (of IPv6: from one /64). A balancer in front of the gateway has one address for all devices: name it in CARILLON_MQTT_TRUSTED_PROXIES, or use 0, no limit, and let the balancer count.',
  }),
  CARILLON_GATEWAY_ACCEPTS_PER_ADDRESS_PER_SECOND: Type.Integer({
    default: 50,
    minimum: 0,
    description:
      'How many connections may come from one address within a second, by whatever door. The phones of an office or of a carrier can share one. 0: no limit, for the same reason as above.',
  }),
  CARILLON_GATEWAY_CONNECTS_PER_SECOND: Type.Integer({
    default: 500,
    minimum: 1,
    description:
      'How many CONNECTs are looked at within a second, so that devices that all come back at once do not drown the databases. The others are told that the server is busy, and come again.',
  }),
  CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: Type.Integer({
    default: 100_000,
    minimum: 1,
    description:
      'How many devices of one app may be connected to one gateway. Where many apps share it, set it to what one of them may take from the others.',
  }),
  CARILLON_GATEWAY_KEEPALIVE_SECONDS_MIN: Type.Integer({
    default: 30,
    minimum: 1,
    description: 'Shortest keep-alive; a device that wishes less is not closed earlier than this asks for.',
  }),
  CARILLON_GATEWAY_KEEPALIVE_SECONDS_MAX: Type.Integer({
    default: 600,
    minimum: 30,
    maximum: 65_535,
    description: 'Longest keep-alive a device may ask for; a longer wish is cut to this.',
  }),
  CARILLON_GATEWAY_DRAIN_SECONDS: Type.Integer({
    default: 60,
    minimum: 0,
    maximum: 3_600,
    description:
      'After SIGTERM a gateway sends its devices to other gateways, spread over this time; a second SIGTERM ends it at once. Whatever stops the process must wait longer.',
  }),
  CARILLON_GATEWAY_RECONCILE_SECONDS: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 600,
    description:
      'How often a gateway looks through all its sessions: whatever hurry got lost, a message or a takeover waits no longer than this.',
  }),
});
