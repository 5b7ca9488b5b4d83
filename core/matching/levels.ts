// Price levels: each level is a queue of orders. The levels of one side of one book form an AVL
// tree ordered by rank, the best leftmost. Finding, adding and removing a level is O(log levels);
// the best level is O(1). Has no notion of orders beyond their links.

import { assert, grownMemory, NONE } from '../structures/index.ts';

// A level is 48 bytes: its rank, then eight links.
const BYTES = 48;
const NUMBERS = 6;
const LINKS = 12;
const FIRST = 2;
const LAST = 3;
const PARENT = 4;
const LEFT = 5;
const RIGHT = 6;
const HEIGHT = 7;
const TREE = 8;
/** The tree of a removed level. */
const NO_TREE = -1;

// A cache of level lookups: most orders join a price that already has orders.
const HINTS = 4_096;
const HINT_MASK = HINTS - 1;
const HINT_SPREAD = 0x9e3779b1;

export class Levels {
  #ranks: Float64Array;
  #links: Int32Array;
  #roots: Int32Array;
  #bests: Int32Array;
  readonly #hints = new Int32Array(HINTS);
  #used = 0;
  #free = NONE;

  constructor(levelsMax: number, treesMax: number) {
    const memory = new ArrayBuffer((levelsMax + 1) * BYTES);
    this.#ranks = new Float64Array(memory);
    this.#links = new Int32Array(memory);
    this.#roots = new Int32Array(treesMax);
    this.#bests = new Int32Array(treesMax);
  }

  /** Raises the number of levels; every level keeps its slot. */
  growLevels(levelsMax: number): void {
    const used = (this.#used + 1) * BYTES;
    const memory = grownMemory(this.#ranks.buffer, (levelsMax + 1) * BYTES, used);
    this.#ranks = new Float64Array(memory);
    this.#links = new Int32Array(memory);
  }

  growTrees(treesMax: number): void {
    const [roots, bests] = [this.#roots, this.#bests];
    this.#roots = new Int32Array(treesMax);
    this.#bests = new Int32Array(treesMax);
    this.#roots.set(roots);
    this.#bests.set(bests);
  }

  best(tree: number): number {
    return this.#bests[tree];
  }

  rank(level: number): number {
    return this.#ranks[level * NUMBERS];
  }

  tree(level: number): number {
    return this.#links[level * LINKS + TREE];
  }

  first(level: number): number {
    return this.#links[level * LINKS + FIRST];
  }

  last(level: number): number {
    return this.#links[level * LINKS + LAST];
  }

  setFirst(level: number, order: number): void {
    this.#links[level * LINKS + FIRST] = order;
  }

  setLast(level: number, order: number): void {
    this.#links[level * LINKS + LAST] = order;
  }

  /** The level of this rank, created if missing. */
  findOrAdd(tree: number, rank: number): number {
    const hint = (Math.imul(tree, HINT_SPREAD) ^ rank) & HINT_MASK;
    const known = this.#hints[hint];
    if (known !== NONE && this.rank(known) === rank && this.tree(known) === tree) return known;
    const level = this.#descend(tree, rank);
    this.#hints[hint] = level;
    return level;
  }

  #descend(tree: number, rank: number): number {
    const links = this.#links;
    const ranks = this.#ranks;
    let parent = NONE;
    let at = this.#roots[tree];
    while (at !== NONE) {
      const here = ranks[at * NUMBERS];
      if (rank === here) return at;
      parent = at;
      at = links[at * LINKS + (rank < here ? LEFT : RIGHT)];
    }
    return this.#add(tree, rank, parent);
  }

  /** Removes an empty level from its tree. */
  remove(level: number): void {
    assert(this.first(level) === NONE, 'only an empty level is removed');
    const links = this.#links;
    const tree = links[level * LINKS + TREE];
    if (this.#bests[tree] === level) this.#bests[tree] = this.after(level);
    const left = links[level * LINKS + LEFT];
    const right = links[level * LINKS + RIGHT];
    let unbalanced: number;
    if (left === NONE || right === NONE) {
      unbalanced = links[level * LINKS + PARENT];
      this.#replaceInParent(tree, level, left === NONE ? right : left);
    } else {
      unbalanced = this.#replaceBySuccessor(tree, level, left, right);
    }
    this.#rebalance(tree, unbalanced);
    links[level * LINKS + TREE] = NO_TREE;
    links[level * LINKS + PARENT] = this.#free;
    this.#free = level;
  }

  /** The next level after this one, away from the best. */
  after(level: number): number {
    const links = this.#links;
    let at = links[level * LINKS + RIGHT];
    if (at !== NONE) return this.#leftmost(at);
    let below = level;
    at = links[level * LINKS + PARENT];
    while (at !== NONE && links[at * LINKS + RIGHT] === below) {
      below = at;
      at = links[at * LINKS + PARENT];
    }
    return at;
  }

  #add(tree: number, rank: number, parent: number): number {
    const links = this.#links;
    let level = this.#free;
    if (level === NONE) level = ++this.#used;
    else this.#free = links[level * LINKS + PARENT];
    this.#ranks[level * NUMBERS] = rank;
    links.fill(0, level * LINKS + FIRST, level * LINKS + LINKS);
    links[level * LINKS + PARENT] = parent;
    links[level * LINKS + HEIGHT] = 1;
    links[level * LINKS + TREE] = tree;
    if (parent === NONE) this.#roots[tree] = level;
    else links[parent * LINKS + (rank < this.rank(parent) ? LEFT : RIGHT)] = level;
    const best = this.#bests[tree];
    if (best === NONE || rank < this.rank(best)) this.#bests[tree] = level;
    this.#rebalance(tree, parent);
    return level;
  }

  /** The successor, which has no left child, takes over the position and height of the level. */
  #replaceBySuccessor(tree: number, level: number, left: number, right: number): number {
    const links = this.#links;
    const successor = this.#leftmost(right);
    let unbalanced = successor;
    if (successor !== right) {
      unbalanced = links[successor * LINKS + PARENT];
      this.#replaceInParent(tree, successor, links[successor * LINKS + RIGHT]);
      links[successor * LINKS + RIGHT] = right;
      links[right * LINKS + PARENT] = successor;
    }
    this.#replaceInParent(tree, level, successor);
    links[successor * LINKS + LEFT] = left;
    links[left * LINKS + PARENT] = successor;
    links[successor * LINKS + HEIGHT] = links[level * LINKS + HEIGHT];
    return unbalanced;
  }

  #leftmost(level: number): number {
    const links = this.#links;
    let at = level;
    while (links[at * LINKS + LEFT] !== NONE) at = links[at * LINKS + LEFT];
    return at;
  }

  #replaceInParent(tree: number, level: number, child: number): void {
    const links = this.#links;
    const parent = links[level * LINKS + PARENT];
    if (parent === NONE) this.#roots[tree] = child;
    else links[parent * LINKS + (links[parent * LINKS + LEFT] === level ? LEFT : RIGHT)] = child;
    if (child !== NONE) links[child * LINKS + PARENT] = parent;
  }

  /** Walks up from `level`, rotating where heights differ by two, until heights are stable. */
  #rebalance(tree: number, level: number): void {
    const links = this.#links;
    let at = level;
    while (at !== NONE) {
      const left = links[at * LINKS + LEFT];
      const right = links[at * LINKS + RIGHT];
      const lean = links[left * LINKS + HEIGHT] - links[right * LINKS + HEIGHT];
      if (lean > 1) {
        if (this.#lean(left) < 0) this.#rotate(tree, left, RIGHT, LEFT);
        at = this.#rotate(tree, at, LEFT, RIGHT);
      } else if (lean < -1) {
        if (this.#lean(right) > 0) this.#rotate(tree, right, LEFT, RIGHT);
        at = this.#rotate(tree, at, RIGHT, LEFT);
      } else {
        const height = links[at * LINKS + HEIGHT];
        this.#measure(at);
        if (links[at * LINKS + HEIGHT] === height) return;
      }
      at = links[at * LINKS + PARENT];
    }
  }

  #lean(level: number): number {
    const links = this.#links;
    const left = links[level * LINKS + LEFT];
    const right = links[level * LINKS + RIGHT];
    return links[left * LINKS + HEIGHT] - links[right * LINKS + HEIGHT];
  }

  /** Raises the child on side `up` above `level`; returns that child. */
  #rotate(tree: number, level: number, up: number, down: number): number {
    const links = this.#links;
    const child = links[level * LINKS + up];
    const inner = links[child * LINKS + down];
    this.#replaceInParent(tree, level, child);
    links[level * LINKS + up] = inner;
    if (inner !== NONE) links[inner * LINKS + PARENT] = level;
    links[child * LINKS + down] = level;
    links[level * LINKS + PARENT] = child;
    this.#measure(level);
    this.#measure(child);
    return child;
  }

  // Slot 0 is unused and its height stays 0: a missing child needs no special case.
  #measure(level: number): void {
    const links = this.#links;
    const left = links[links[level * LINKS + LEFT] * LINKS + HEIGHT];
    const right = links[links[level * LINKS + RIGHT] * LINKS + HEIGHT];
    links[level * LINKS + HEIGHT] = 1 + (left > right ? left : right);
  }

  /** Checks that the tree is ordered, balanced, measured and linked in both directions. */
  audit(tree: number): void {
    const seen = this.#auditBelow(this.#roots[tree], NONE);
    let level = this.#bests[tree];
    let walked = 0;
    let rank = Number.NEGATIVE_INFINITY;
    while (level !== NONE) {
      assert(this.rank(level) > rank, 'ranks increase from the best');
      assert(this.tree(level) === tree, 'a level stores its tree');
      rank = this.rank(level);
      walked++;
      level = this.after(level);
    }
    assert(walked === seen, 'a walk from the best visits every level');
  }

  #auditBelow(level: number, parent: number): number {
    if (level === NONE) return 0;
    const links = this.#links;
    assert(links[level * LINKS + PARENT] === parent, 'a level stores its parent');
    const left = this.#auditBelow(links[level * LINKS + LEFT], level);
    const right = this.#auditBelow(links[level * LINKS + RIGHT], level);
    const lean = this.#lean(level);
    assert(lean >= -1 && lean <= 1, 'a level tree is balanced');
    const height = links[level * LINKS + HEIGHT];
    this.#measure(level);
    assert(links[level * LINKS + HEIGHT] === height, 'a level stores its height');
    return left + right + 1;
  }
}
