/** `npm run test:setup` installs the missing programs that the tests run. */
import { findPrograms, thisMachine } from './programs.ts';

try {
  const programs = Object.values(findPrograms(thisMachine({ asked: true })));
  process.stdout.write(`The tests have what they need: ${programs.join(', ')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
