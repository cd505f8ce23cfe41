// The games of play/verify.js do what the worked examples in tests/vectors say.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Dominoes, Luck, Pickomino, Row, SevenSevenSevenSix, points } from "../../play/verify.js";
import { vectors } from "./files.mjs";

const range = (from, to) => Array.from({ length: to - from }, (_, place) => from + place);
const luck = (...draws) => new Luck(draws);
const faceName = (face) => (face === 6 ? "W" : String(face));

/** The first value that each option may have, but for those given. */
function options({ OPTIONS }, others = {}) {
  const first = Object.entries(OPTIONS).map(([name, allowed]) => [name, allowed[0]]);
  return { ...Object.fromEntries(first), ...others };
}

// Pickomino

function position({ seats, start, options: chosen }) {
  const game = new Pickomino(seats, options(Pickomino, { first: "seat_0", ...chosen }), luck());
  game.stacks = start.stacks ? start.stacks.map((stack) => [...stack]) : game.stacks;
  const gone = [...(start.down ?? []), ...game.stacks.flat()];
  game.bbq = start.up ? [...start.up] : range(21, 37).filter((domino) => !gone.includes(domino));
  game.seat = start.turn ?? 0;
  return game;
}

function legal(game) {
  const moves = game.legal(game.seat).map((move) => move.split(" "));
  const taking = (verb) => moves.filter(([word]) => word === verb).map(([, domino]) => Number(domino));
  const roll = moves.some(([word]) => word === "roll");
  return { roll, collect: taking("collect"), steal: taking("steal") };
}

for (const scenario of vectors("pickomino").scenarios) {
  test(`pickomino: ${scenario.note}`, () => {
    const game = position(scenario);
    for (const { move, dice = [], refused = false } of scenario.moves) {
      assert.equal(game.legal(game.seat).includes(move), !refused);
      const faces = dice.map((face) => (face === "W" ? 6 : face));
      if (!refused) game.apply(game.seat, move, luck(["roll", faces]));
    }
    const { then } = scenario;
    const saved = Object.fromEntries([...game.saved].map(([face, many]) => [faceName(face), many]));
    assert.deepEqual(
      [game.over, game.bbq, game.stacks, game.scores(), saved, game.total(), game.diceLeft()],
      [then.over, then.face_up, then.stacks, then.worms, then.saved, then.total, then.dice_left],
    );
    if (then.over) assert.deepEqual(game.winners(range(0, scenario.seats)), then.winners);
    else assert.deepEqual(legal(game), { roll: false, collect: [], steal: [], ...then.legal });
    assert.deepEqual(game.toMove(), then.over ? [] : [then.turn]);
  });
}

// 7776

for (const { note, throws, scores } of vectors("7776").throws) {
  test(`7776: ${note}`, () => {
    for (const name of Object.keys(scores)) assert.equal(points(name, throws.flat()), scores[name], name);
  });
}

const draws = (ofRound) => ofRound.throws.map((faces) => ["roll", faces]);

for (const { note, rounds } of vectors("7776").tables) {
  for (const order of [[0, 1], [1, 0]]) {
    test(`7776: ${note}, chosen in the order ${order}`, () => {
      const game = new SevenSevenSevenSix(2, {}, luck(...draws(rounds[0])));
      for (const [number, { choices, scores }] of rounds.entries()) {
        for (const seat of order) {
          const move = `choose ${choices[seat]}`;
          assert.ok(game.toMove().includes(seat) && game.legal(seat).includes(move));
          const next = seat === order[1] && rounds[number + 1];
          game.apply(seat, move, luck(...(next ? draws(next) : [])));
        }
        assert.deepEqual(game.scores(), scores);
      }
      assert.deepEqual([game.over, game.toMove()], [true, []]);
    });
  }
}

// Dominoes

const UNSHUFFLED = ["shuffle", range(0, 28)];
const ORDERED = range(0, 7).flatMap((high) => range(0, high + 1).map((low) => `${high}-${low}`));
const ENDS = ["left", "right"];
const tile = (name) => [Number(name[0]), Number(name[2])];
const names = (hand) => hand.map(([high, low]) => `${high}-${low}`);
const first = (seats, seat) => ["shuffle", [seat, ...range(0, seats).filter((other) => other !== seat)]];

for (const scenario of vectors("dominoes").scenarios) {
  test(`dominoes: ${scenario.note}`, () => {
    const { hands, stock, starter, then } = scenario;
    const deal = ["shuffle", [...hands, stock].flat().map((name) => ORDERED.indexOf(name))];
    const drawn = luck(first(hands.length, starter), deal);
    const game = new Dominoes(hands.length, options(Dominoes, scenario.options), drawn);
    for (const { seat, move, refused = false } of scenario.moves) {
      assert.equal(game.toMove().includes(seat) && game.legal(seat).includes(move), !refused);
      if (!refused) game.apply(seat, move, luck());
    }
    assert.deepEqual(game.row.tiles.map((halves) => halves.map(({ pips }) => pips)), then.row);
    assert.deepEqual([0, 1].map((end) => game.row.openHalf(end).pips), then.ends);
    assert.deepEqual([game.hands.map(names), game.stock.length], [then.hands, then.stock]);
    assert.equal(game.over, then.round_over);
    if (!then.result) return;
    const { winner, pips, points: won } = then.result;
    assert.deepEqual([game.roundWinner, game.pips(), game.scores()], [winner, pips, won]);
  });
}

for (const { note, players, target, rounds, expect } of vectors("dominoes").tables) {
  test(`dominoes: ${note}`, () => {
    const game = new Dominoes(players, options(Dominoes, { target }), luck(first(players, 0), UNSHUFFLED));
    for (const { starter, pips, winner, totals, game_over: over } of rounds) {
      assert.equal(game.starter, starter);
      game.hands = pips.map((many) => (many ? [[many, 0]] : []));
      game.endRound(winner, luck(...(over ? [] : [UNSHUFFLED])));
      assert.deepEqual([game.scores(), game.over], [totals, over]);
    }
    assert.equal(game.over, expect.game_over);
    if (game.over) assert.deepEqual(game.winners(range(0, players)), [expect.winner]);
  });
}

function lay(row, move) {
  const [, name, end, corner = ""] = move.split(" ");
  if (!end) return row.layFirst(tile(name));
  assert.ok(corner === "" || row.corners(ENDS.indexOf(end)).includes(corner));
  return row.lay(tile(name), ENDS.indexOf(end), corner);
}

function placed(halves) {
  const [greater, lesser] = halves[0].pips >= halves[1].pips ? halves : [...halves].reverse();
  const step = `${lesser.x - greater.x},${lesser.y - greater.y}`;
  const facing = { "1,0": "right", "0,1": "down", "-1,0": "left", "0,-1": "up" }[step];
  return { tile: `${greater.pips}-${lesser.pips}`, x: greater.x, y: greater.y, facing };
}

for (const [number, layout] of vectors("dominoes-layout").rows.entries()) {
  test(`dominoes: the tiles lie where row ${number} says`, () => {
    const straightened = [];
    let place = 0;
    class Watched extends Row {
      straighten() {
        straightened.push(place);
        super.straighten();
      }
    }
    const row = new Watched();
    for (place = 0; place < layout.moves.length; place += 1) lay(row, layout.moves[place]);
    const ends = [0, 1].map((end) => ({ ...row.openHalf(end), heading: row.headings[end] }));
    assert.deepEqual(straightened, layout.straightened_at);
    assert.deepEqual(row.tiles.map(placed), layout.row);
    assert.deepEqual(ends, layout.ends);
  });
}

test("dominoes: in one round the fewest pips win where the winner had left", () => {
  const game = new Dominoes(4, options(Dominoes), luck(first(4, 0), UNSHUFFLED));
  game.hands = [["3-2"], [], ["4-1"], ["6-6"]].map((hand) => hand.map(tile));
  game.endRound(1, luck());
  assert.deepEqual([game.winners([0, 1, 2, 3]), game.winners([0, 2, 3])], [[1], [0, 2]]);
});

test("dominoes: a hundred drawn rounds end the game", () => {
  const game = new Dominoes(3, options(Dominoes, { target: 100 }), luck(first(3, 1), UNSHUFFLED));
  game.points = [30, 40, 40];
  for (let round = 1; round < 100; round += 1) game.endRound(null, luck(UNSHUFFLED));
  assert.equal(game.over, false);
  game.endRound(null, luck());
  assert.deepEqual([game.over, game.winners([0, 1, 2])], [true, [1, 2]]);
});
