# Varnish as a cache before the service whose answers it keeps. The suite replaces {words in braces}.
vcl 4.1;

backend service {
    .host = "127.0.0.1";
    .port = "{upstream}";
}

sub vcl_backend_response {
    # The service's own freshness ends within a long run.
    set beresp.ttl = 1h;
}
