"""FastAPI on uvicorn, with httpx and orjson: fetch, load, dump. It does not repair, rename or convert."""

import sys
from contextlib import asynccontextmanager

import httpx
import orjson
import uvicorn
from fastapi import FastAPI, Response

port, upstream = map(int, sys.argv[1:])


@asynccontextmanager
async def lifespan(app):
    limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
    async with httpx.AsyncClient(limits=limits, trust_env=False) as client:
        app.state.client = client
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/weather")
async def weather(lat: float, lon: float):
    answer = await app.state.client.get(f"http://127.0.0.1:{upstream}/forecast/-/{lat},{lon}")
    return Response(orjson.dumps(orjson.loads(answer.content)), media_type="application/json")


uvicorn.run(app, host="127.0.0.1", port=port, log_level="critical", access_log=False)
