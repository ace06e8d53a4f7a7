// Go's reverse proxy: with as many idle connections as there are clients if the third argument is "tuned", or as it comes.
package main

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
)

func main() {
	upstream, err := url.Parse(os.Args[2])
	if err != nil {
		panic(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(upstream)
	if len(os.Args) > 3 && os.Args[3] == "tuned" {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = 64
		transport.DisableCompression = true
		proxy.Transport = transport
	}
	panic(http.ListenAndServe("127.0.0.1:"+os.Args[1], proxy))
}
