-- Sends 16 requests at a time.
init = function()
    local requests = {}
    for index = 1, 16 do requests[index] = wrk.format() end
    pipeline = table.concat(requests)
end

request = function() return pipeline end
