-- A mix of requests for wrk: half renditions, a fifth manifests, a fifth payloads, a tenth uploads.
local port, renditions, identifiers, payloads, picture
local threads = {}
statuses = ""

function setup(thread)
    table.insert(threads, thread)
end

local function lines(path)
    local all = {}
    for line in io.lines(path) do table.insert(all, line) end
    return all
end

function init(arguments)
    local folder = arguments[1]
    renditions = lines(folder .. "/renditions")
    identifiers = lines(folder .. "/identifiers")
    payloads = lines(folder .. "/payloads")
    local file = io.open(folder .. "/picture", "rb")
    picture = file:read("*a")
    file:close()
    counts = {}
    math.randomseed(os.time())
end

local json = { ["Content-Type"] = "application/json" }
local jpeg = { ["Content-Type"] = "image/jpeg" }

function request()
    local choice = math.random(10)
    if choice <= 5 then
        return wrk.format("GET", renditions[math.random(#renditions)])
    elseif choice <= 7 then
        return wrk.format("GET", "/v1/attachments/" .. identifiers[math.random(#identifiers)])
    elseif choice <= 9 then
        return wrk.format("POST", "/v1/stage", json, payloads[math.random(#payloads)])
    end
    return wrk.format("POST", "/v1/attachments", jpeg, picture)
end

function response(status)
    counts[status] = (counts[status] or 0) + 1
    local text = ""
    for code, count in pairs(counts) do text = text .. code .. "=" .. count .. " " end
    statuses = text
end

function done(summary, latency)
    local totals = {}
    for _, thread in ipairs(threads) do
        for code, count in string.gmatch(thread:get("statuses"), "(%d+)=(%d+)") do
            totals[code] = (totals[code] or 0) + tonumber(count)
        end
    end
    for code, count in pairs(totals) do io.write("status ", code, " ", count, "\n") end
    local errors = summary.errors
    io.write(string.format(
        "errors connect=%d read=%d write=%d timeout=%d\n",
        errors.connect, errors.read, errors.write, errors.timeout))
    io.write(string.format(
        "latency p50=%.1f p99=%.1f max=%.1f\n", latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, latency.max / 1000))
end
