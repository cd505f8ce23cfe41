// Prints what play/verify.js says of each record in a file of one record a line.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

import { parse, verify } from "../../play/verify.js";

for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  process.stdout.write(`${JSON.stringify(verify(parse(line)))}\n`);
}
