/** `npm run test:setup` installs the missing programs that the tests run. */
import { findPrograms, thisMachine } from './programs.ts';

try {
  const programs = Object.values(findPrograms(thisMachine({ asked: true })));
  process.stdout.write(`The tests have what they need: ${programs.join(', ')}\n`);
} catch (exception) {
  process.stderr.write(`${exception instanceof Error ? exception.message : exception}\n`);
  process.exitCode = 1;
}
