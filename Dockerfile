# The service as one binary with the Swift libraries linked statically, on a slim Debian image with libcurl, libcrypto,
# zlib, brotli, PCRE2 and hiredis.
FROM swift:6.3.1-bookworm AS build
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends libcurl4-openssl-dev libssl-dev zlib1g-dev libbrotli-dev libpcre2-dev libhiredis-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /weir
COPY Package.swift ./
COPY Sources ./Sources
# The manifest refers to the test folders, so they must exist. The tests are not built.
COPY Tests ./Tests
RUN swift build -c release --product weir --static-swift-stdlib \
    && strip -o /usr/local/bin/weir "$(swift build -c release --show-bin-path --static-swift-stdlib)/weir"

FROM debian:bookworm-slim
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends ca-certificates libbrotli1 libcurl4 libhiredis0.14 libpcre2-8-0 libssl3 libstdc++6 tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/weir /usr/local/bin/weir
COPY Config /etc/weir
# The commit in `weir --version` and in the metric weir_build_info: docker build --build-arg COMMIT="$(git rev-parse --short HEAD)" .
ARG COMMIT=""
ENV WEIR_COMMIT=$COMMIT
# glibc keeps 7 freed blocks of a size for each thread; an event loop frees more at a time.
ENV GLIBC_TUNABLES=glibc.malloc.tcache_count=127
# Only files that the configuration names are written at run time: the root file system may be read-only.
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["/usr/local/bin/weir", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/weir"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
