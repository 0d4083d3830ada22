# The host as an image, for wherever containers run; docs/operations/host.md says how.
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
ARG RUN_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Bun comes with it, for the processor that this runs on.
RUN npm ci --omit=dev
COPY shared shared
COPY functions functions
RUN node_modules/bun/bin/bun.exe build functions/host/main.ts --target=bun --sourcemap=inline --outfile=/flagwire/host.js \
  && cp node_modules/bun/bin/bun.exe /flagwire/bun

FROM ${RUN_IMAGE}
COPY --from=build /flagwire /flagwire
# For STATE_DIR and INSIGHT_FILE, where they are used.
RUN install -d -o 65534 -g 65534 /var/lib/flagwire
WORKDIR /var/lib/flagwire
USER 65534:65534
ENV NODE_ENV=production PORT=5100 METRICS_PORT=5101
EXPOSE 5100 5101
ENTRYPOINT ["/flagwire/bun", "/flagwire/host.js"]
