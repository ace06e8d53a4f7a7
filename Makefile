# The two main commands are `make run` and `make test`. Both install missing system packages.

PORT ?= 8080
CONFIGURATION ?= release
PACKAGES := libcurl4-openssl-dev libssl-dev zlib1g-dev libbrotli-dev libpcre2-dev libhiredis-dev
# The tests start these programs: openssl makes certificates and speaks TLS, curl too, nginx ends TLS for upstreams of
# tests, Prometheus scrapes the metrics, replicas share Redis, and signatures are compared with those of Python's packages.
TEST_PACKAGES := openssl curl nginx-light prometheus redis-server redis-sentinel python3-oauthlib python3-jwt python3-cryptography
# The benchmarks contain the Swift libraries, as the binary of the Dockerfile does: 4 % less processor time for a request.
STATIC := --static-swift-stdlib
PYTHON := .build/python
SWIFT_FILES = $(shell find Package.swift Sources Tests Benchmarks -name '*.swift' -not -path '*/.build/*')

.PHONY: run build test test-full soak library-check docs lint format bench fuzz sanitize clean packages

# Serves the demo until it is interrupted. Prints a command and a page to try once the service is ready.
run: build
	@weir="$$(swift build -c $(CONFIGURATION) --show-bin-path)/weir"; \
	"$$weir" serve --config Config/demo.json --listen 127.0.0.1:$(PORT) & service=$$!; \
	trap : INT; trap 'kill -TERM $$service' TERM; \
	until "$$weir" healthcheck --url http://127.0.0.1:$(PORT)/readyz > /dev/null 2>&1; do \
	    kill -0 $$service 2> /dev/null || { wait $$service; exit $$?; }; \
	done; \
	printf "\n  curl 'localhost:%s/weather?lat=37.8267&lon=-122.4233'\n  http://localhost:%s/\n\n" '$(PORT)' '$(PORT)'; \
	while kill -0 $$service 2> /dev/null; do wait $$service; done

build: packages
	swift build -c $(CONFIGURATION) --product weir

test: PACKAGES += $(TEST_PACKAGES)
test: packages
	Tests/run

# Runs what takes minutes, or needs a browser or packages of Python, which go into a virtual environment.
test-full: PACKAGES += python3-venv default-jre-headless openssl curl nginx-light prometheus redis-server redis-sentinel chromium chromium-driver
test-full: packages $(PYTHON)/installed
	swift build --product weir
	$(PYTHON)/bin/python Tests/Full/settings.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/openapi.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/generators.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/query.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/mappings.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/posts.py "$$(swift build --show-bin-path)/weir"
	PYTHONPATH=$(PYTHON)/community $(PYTHON)/bin/python Tests/Full/shapes.py
	$(PYTHON)/bin/python Tests/Full/pages.py "$$(swift build --show-bin-path)/weir" .build/screenshots
	$(PYTHON)/bin/python Tests/Full/prometheus.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/incidents.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/restarts.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/shared.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/drift.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/differential.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/memory.py "$$(swift build --show-bin-path)/weir"
	$(PYTHON)/bin/python Tests/Full/soak.py "$$(swift build --show-bin-path)/weir" 2

# Runs two instances behind nginx for some minutes, while the upstream fails, and prints a table: make soak MINUTES=10.
soak: PACKAGES += nginx-light
soak: CONFIGURATION = release
soak: build
	python3 Tests/Full/soak.py "$$(swift build -c release --show-bin-path)/weir" $(or $(MINUTES),10)

# The community's package has the name of the other one, so it has a folder of its own. Of the package in axe.txt, only
# the script axe-core is used, not the browsers that the package depends on.
$(PYTHON)/installed: Tests/Full/requirements.txt Tests/Full/community.txt Tests/Full/axe.txt
	python3 -m venv $(PYTHON)
	$(PYTHON)/bin/pip install --quiet -r Tests/Full/requirements.txt
	$(PYTHON)/bin/pip install --quiet --no-deps -r Tests/Full/axe.txt
	$(PYTHON)/bin/pip install --quiet --target $(PYTHON)/community --upgrade -r Tests/Full/community.txt
	touch $@

# Builds a package that uses LenientCoding from outside of the repository, and the library's documentation.
library-check:
	Tests/LibraryUse/run

# Rewrites the generated tables in docs/configuration.md, docs/api.md, docs/operating.md, docs/contracts.md, docs/suites.md and docs/cache-tests.md.
docs: packages
	WEIR_WRITE_DOCS=1 swift test --filter 'SettingsDocumentTests|RouteDocumentTests|FigureDocumentTests|FieldTableTests|OtherLibraryTests|CacheSuiteTests'

lint:
	swift format lint --strict $(SWIFT_FILES)

format:
	swift format --in-place $(SWIFT_FILES)

# Prints one figure per line: make bench SUITE=json CHECK=1. See Benchmarks/README.md.
bench:
	@$(MAKE) --no-print-directory packages >&2
	@swift build -c release --product weir >&2
	@Benchmarks/Peers/build >&2
	@swift build -c release $(STATIC) --package-path Benchmarks >&2
	@"$$(swift build -c release $(STATIC) --package-path Benchmarks --show-bin-path)/weir-bench" \
	    $(if $(SUITE),--suite $(SUITE)) $(if $(CHECK),--check) $(if $(GENERATED),--generated) $(BENCH_OPTIONS)

# Runs one fuzz target: make fuzz TARGET=parser SECONDS=600. See Tests/Fuzz/README.md.
fuzz:
	@Tests/Fuzz/run '$(TARGET)' '$(or $(SECONDS),60)'

# Runs all tests under a sanitizer: make sanitize SANITIZER=address, or thread. FILTER selects tests.
sanitize: PACKAGES += $(TEST_PACKAGES)
sanitize: packages
	@Tests/Sanitizers/run '$(SANITIZER)' '$(FILTER)'

clean:
	rm -rf .build Benchmarks/.build Benchmarks/Peers/serde/target Benchmarks/Peers/proxy/proxy \
	    Benchmarks/Peers/jmespath/jmespath Benchmarks/Peers/jq/jq

# Installs missing system packages, or prints the command that does.
packages:
	@command -v swift > /dev/null || { echo 'Swift 6.3 must be on the PATH: see https://www.swift.org/install/linux/' >&2; exit 69; }
	@missing=; for package in $(PACKAGES); do \
	    dpkg-query -W -f '$${db:Status-Status}' $$package 2> /dev/null | grep -qx installed || missing="$$missing $$package"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" -ne 0 ]; then echo "Missing packages; run: sudo apt-get install -y$$missing" >&2; exit 69; fi; \
	apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing
