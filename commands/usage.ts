/** What `livestream-mock --help` prints. */
export const usage = `Usage:

livestream-mock serve [options]

  --port N             port to listen on; 0 picks a free one    4100
  --host ADDRESS       address to listen on                     127.0.0.1
  --prefix PATH        path of the interface                    /api
  --world NAME         empty, demo or crowded                   demo
  --streams N          in the crowded world                     1000
  --max-records N      streams and sessions of all keys         400000
  --seed TEXT          same seed and key, same identifiers      livestream-mock
  --api-key KEY        accept exactly this key; repeatable      any test-… key
  --control-origin URL pages of this origin may steer it too    none
  --recording-delay T  from stop until ready, such as 30s       1s
  --data FILE          keep the worlds in this file             in memory
  --fault JSON         what goes wrong in every world; repeatable
  --break MUTANT       break one rule of the interface
  --json               print where it listens as one JSON line

livestream-mock check (--base-url URL | --mock) [options]

  --base-url URL       judge the service at this base address
  --mock               judge the mock itself
  --api-key KEY        API key; or the environment variable LIVESTREAM_API_KEY
  --recorded-stream ID a recorded session comes from this stream, or
  --control-url URL      from a control API that goes live, or
  --ingest-command CMD   from a command that goes live with STREAM_KEY,
                         STREAM_ID and MEDIA_FILE in its environment, or
  --manual               from you: you go live when asked to
  --read-only          send no write
  --level LEVEL        must; or should, which is both           everything
  --area AREA          judge this area alone; repeatable        all
  --only ID            only this requirement; repeatable
  --deviations FILE    known deviations of the target
  --report FILE        write .json .xml .html .md .svg; repeatable
  --timeout T          within which an answer is complete       10s
  --patience T         that a recording may take                2m
  --wait-for T         that a target may take to start          0
  --verbose            show every result and observation
  --quiet              show one line

  Areas: create, record, inheritance, list, authentication, media, observe.
  Exit status: 0 conformant, also with known deviations; 1 not conformant;
  2 incomplete; 3 wrong arguments, or the suite itself failed; 4 the target
  cannot be judged; 130 or 143 interrupted.

livestream-mock render REPORT.json FILE...

  writes a report again in the forms that the files' names ask for:
  .json .xml .html .md .svg

livestream-mock --version
livestream-mock --help
`;
