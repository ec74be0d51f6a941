// Numbers, times and names as people read them.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const minutes = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

export const count = (number) => whole.format(number ?? 0);

/** Long numbers in few characters: 12.3K. */
export const brief = (number) => (Math.abs(number) < 10000 ? whole.format(number) : short.format(number));

export function rate(number) {
  return number > 0 && number < 10 ? number.toFixed(1) : brief(Math.round(number));
}

export function percent(part, all) {
  if (!all) {
    return "0 %";
  }
  const share = (100 * part) / all;
  return share > 0 && share < 0.1 ? "< 0.1 %" : `${share.toFixed(share < 10 ? 1 : 0)} %`;
}

/** A time in microseconds as a figure and its unit. */
export function latency(micros) {
  if (micros === null || micros === undefined) {
    return ["–", ""];
  }
  if (micros < 1000) {
    return [String(Math.round(micros)), "µs"];
  }
  const millis = micros / 1000;
  return millis < 1000 ? [millis.toFixed(millis < 10 ? 2 : 0), "ms"] : [(millis / 1000).toFixed(1), "s"];
}

export const latencyText = (micros) => latency(micros).join(" ").trim();

export const clockTime = (instant) => clock.format(new Date(instant));
export const minuteTime = (instant) => minutes.format(new Date(instant));
export const dayTime = (instant) => `${day.format(new Date(instant))} ${minutes.format(new Date(instant))}`;
export const dayName = (instant) => day.format(new Date(instant));
export const fullTime = (instant) => full.format(new Date(instant));

/** The clock's time today, the day's too on others. */
export function when(instant) {
  const date = new Date(instant);
  return date.toDateString() === new Date().toDateString() ? clock.format(date) : dayTime(date);
}

/** How long something takes, in the two largest units. */
export function span(seconds) {
  const units = [
    [86400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ];
  const parts = [];
  let left = Math.max(0, Math.round(seconds));
  for (const [size, name] of units) {
    if (left >= size && parts.length < 2) {
      parts.push(`${Math.floor(left / size)} ${name}`);
      left %= size;
    }
  }
  return parts.length ? parts.join(" ") : "0 s";
}

export const plural = (number, one, more = `${one}s`) => `${count(number)} ${number === 1 ? one : more}`;

/** What a list or a single value has, as a list. */
export const listed = (value) => (value === undefined || value === null ? [] : [].concat(value));

/** A file without the folders that it is in. */
export const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);

/** The instant that a local date field stands for, as the server wants it; empty if there is none. */
export function instantOf(local) {
  const date = new Date(local);
  return local && !Number.isNaN(date.getTime()) ? date.toISOString() : "";
}

const REASONS = {
  within_limits: "within its limits",
  no_limit: "no limit holds for it",
  limit_exceeded: "the limit was used up",
  cost_exceeds_limit: "it costs more than the limit can ever give",
  penalty: "a penalty for repeated violations was running",
  blocked_client: "the client is blocked",
  blocked_by_rule: "a rule blocks such requests",
  allowed_by_rule: "a rule allows such requests, uncounted",
  exempt: "the client is exempt",
  missing_client: "nothing is known of the client",
  disabled: "limits are switched off",
  backend_error: "the counters could not be reached",
};

export const reason = (name) => REASONS[name] ?? name ?? "";
