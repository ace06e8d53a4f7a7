-- Pauses before each request, so that every server gets nearly the same number of them and none is saturated.
delay = function() return math.random(0, 2) end
