/** `npm run test:setup` installs the missing programs that the tests run. */
import { findPrograms, thisMachine } from './programs.ts';

try {
  const found = Object.values(findPrograms(thisMachine({ asked: true })));
  process.stdout.write(`The tests have what they need: ${found.join(', ')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
