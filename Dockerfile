# One image for all roles: `docker build -t carillon .`, then `docker run carillon api` (gateway, worker, all, migrate, …).
# `docker build --target simulators -t carillon-simulators .` builds the vendor simulators.
# `docker build --target demo -t carillon-demo .` builds the demo of `npm run dev`, with PostgreSQL and NATS. It is not for production.
#
# Node runs the TypeScript source directly. Only the console is compiled. Tags can be moved: for reproducible builds, append the
# digest, which `docker buildx imagetools inspect node:24.21.0-bookworm-slim` prints.
# File modes are set explicitly, because a strict umask on the build machine would create files that the image's user cannot read.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY --chmod=0755 package.json package-lock.json .npmrc ./
# The optional dependencies are Node binaries, which the base image does not need.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24.21.0-bookworm-slim AS console
WORKDIR /app
COPY --chmod=0755 package.json package-lock.json .npmrc tsconfig.json ./
# The bundler is an optional dependency with a binary for each platform.
RUN npm ci --ignore-scripts
COPY --chmod=0755 sdk/src sdk/src
COPY --chmod=0755 console console
COPY --chmod=0755 scripts scripts
RUN node scripts/console.ts

FROM node:24.21.0-bookworm-slim AS simulators
LABEL org.opencontainers.image.title="Carillon's simulators" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --chmod=0755 package.json LICENSE ./
COPY --chmod=0755 simulators simulators
USER 10001:10001
ENTRYPOINT ["node", "simulators/main.ts"]

FROM node:24.21.0-bookworm-slim AS demo
LABEL org.opencontainers.image.title="Carillon's demo" org.opencontainers.image.licenses="MIT"
WORKDIR /app
# PostgreSQL requires a user with a name. The user owns /app, where the demo writes .dev.env.
RUN apt-get update && apt-get install --yes --no-install-recommends nats-server postgresql && rm -rf /var/lib/apt/lists/* && groupadd --gid 10001 demo && useradd --uid 10001 --gid 10001 --create-home demo && chown demo /app
COPY --chmod=0755 package.json package-lock.json .npmrc LICENSE ./
# With development dependencies, because the MQTT device of the demo needs one of them.
RUN npm ci --omit=optional --ignore-scripts
COPY --chmod=0755 migrations migrations
COPY --chmod=0755 src src
COPY --chmod=0755 sdk/src sdk/src
COPY --chmod=0755 cli cli
COPY --chmod=0755 simulators simulators
COPY --chmod=0755 scripts scripts
COPY --from=console --chmod=0755 /app/console/dist console/dist
USER 10001:10001
# HTTP; MQTT over TCP and over WebSocket; the page with all phones.
EXPOSE 8080 1883 8083 8090
ENTRYPOINT ["node", "scripts/dev.ts"]
CMD ["--host", "0.0.0.0", "--ports", "api=8080,mqtt=1883,websocket=8083,phones=8090", "--directory", "/home/demo/data"]

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
COPY --from=console --chmod=0755 /app/console/dist console/dist
# A user without a name and without files: everything above belongs to root and is read-only, and nothing is written.
USER 10001:10001
# HTTP; MQTT over TCP, over WebSocket and over TLS; health and metrics.
EXPOSE 8080 1883 8083 8883 9090
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --start-interval=2s --retries=3 CMD ["node", "src/bin/health-check.ts"]
ENTRYPOINT ["node", "src/bin/main.ts"]
CMD ["all"]
