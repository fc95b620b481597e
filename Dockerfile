# The image of every role: `docker build -t carillon .`, then `docker run carillon api` (gateway, worker, all, migrate, …).
# `docker build --target simulators -t carillon-simulators .` makes the pretend vendors.
#
# Node runs the source as it is written, so nothing is compiled. Tags can be moved; whoever wants to build the same again
# writes the digest behind them, which `docker buildx imagetools inspect node:24.21.0-bookworm-slim` tells.
# Modes are set, because a strict umask where the image is built would leave files that its user cannot read.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY --chmod=0755 package.json package-lock.json .npmrc ./
# What is optional are Nodes for machines that have none.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24.21.0-bookworm-slim AS simulators
LABEL org.opencontainers.image.title="Carillon's simulators" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --chmod=0755 package.json LICENSE ./
COPY --chmod=0755 simulators simulators
USER 10001:10001
ENTRYPOINT ["node", "simulators/main.ts"]

FROM node:24.21.0-bookworm-slim AS carillon
LABEL org.opencontainers.image.title="Carillon" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --chmod=0755 package.json LICENSE ./
COPY --chmod=0755 migrations migrations
COPY --chmod=0755 src src
COPY --chmod=0755 sdk/src sdk/src
COPY --chmod=0755 cli cli
# Nobody's files and nobody's name: everything above belongs to root and is only read, nothing is ever written.
USER 10001:10001
# HTTP; MQTT over TCP, over WebSocket and over TLS; health and metrics.
EXPOSE 8080 1883 8083 8883 9090
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --start-interval=2s --retries=3 CMD ["node", "src/bin/health-check.ts"]
ENTRYPOINT ["node", "src/bin/main.ts"]
CMD ["all"]
