// Where a rule comes in the walk, and which priorities bring it there.

export const HIGHEST = 1_000_000;
const STEP = 100;

/** Rules in the order of the walk: by descending priority, of equals by name. */
export function inOrder(rules) {
  return [...rules].sort((a, b) => priority(b) - priority(a) || (a.name < b.name ? -1 : 1));
}

export const priority = (rule) => rule.priority ?? 100;

const isBefore = (first, second) =>
  first.priority > second.priority || (first.priority === second.priority && first.name < second.name);

/** A priority between two neighbours, either of which may be missing; undefined if there is none. */
function between(name, above, below) {
  if (!above && !below) {
    return 100;
  }
  if (!above) {
    return Math.min(HIGHEST, below.priority + STEP);
  }
  if (!below) {
    return Math.max(-HIGHEST, above.priority - STEP);
  }
  const candidates = [Math.floor((above.priority + below.priority) / 2), above.priority, below.priority];
  return candidates.find((value) => {
    const moved = { name, priority: value };
    return isBefore(above, moved) && isBefore(moved, below);
  });
}

/**
 * The priorities to change so that the rule at one place comes to another. Those of the file stay.
 *
 * @param rules in the order of the walk
 * @returns a list of {name, priority}, or a text that says why it cannot be
 */
export function move(rules, from, to) {
  const order = rules.map(({ name, source, priority: value = 100 }) => ({ name, source, priority: value }));
  const [moved] = order.splice(from, 1);
  order.splice(to, 0, moved);
  const value = between(moved.name, order[to - 1], order[to + 1]);
  if (value !== undefined && value !== priority(moved)) {
    return [{ name: moved.name, priority: value }];
  }
  if (value !== undefined) {
    return [];
  }
  // No room: the rule takes the place above its lower neighbour, and those above make way.
  const changes = [];
  moved.priority = order[to + 1].priority + 1;
  for (let i = to; i >= 0; i--) {
    const rule = order[i];
    if (i < to) {
      if (isBefore(rule, order[i + 1])) {
        break;
      }
      if (rule.source === "file") {
        return `there is no room below ${rule.name}, whose priority is set in the file`;
      }
      rule.priority = order[i + 1].priority + 1;
    }
    if (rule.priority > HIGHEST) {
      return `there is no room above ${rule.name}: priorities end at ${HIGHEST}`;
    }
    changes.push({ name: rule.name, priority: rule.priority });
  }
  return changes;
}
