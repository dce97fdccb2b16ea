/** `npm run test:setup` installs the programs that the tests run, as far as they are missing. */
import { findPrograms, thisMachine } from './programs.ts';

try {
  const found = Object.values(findPrograms(thisMachine({ asked: true })));
  process.stdout.write(`The tests have what they need: ${found.join(', ')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
