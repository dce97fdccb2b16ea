import type { Contestant } from './contestant.ts';
import { serveArgs } from './ours.ts';
import { httpMiddleware } from './peers/http-middleware.ts';
import { jsonServer } from './peers/json-server.ts';
import { mockoon } from './peers/mockoon.ts';
import { prism } from './peers/prism.ts';

/** This project. */
export const ours: Contestant = {
  name: 'livestream-mock',
  args: (_, port) => serveArgs()(port),
  works: ({ works }) => works,
};

/** The limit: Node's own server, sending the same bytes out of memory. */
export const bare: Contestant = {
  name: 'node:http',
  args: ({ folder }, port) => [`${import.meta.dirname}/node-http.mjs`, folder, String(port)],
  works: ({ works }) => works,
};

/** What a user would write by hand: it reads the key, finds the record, and writes it as JSON. */
export const handWritten: Contestant = {
  name: 'node:http by hand',
  args: ({ folder }, port) => [`${import.meta.dirname}/hand-written.mjs`, folder, String(port)],
  works: ({ works: { list, retrieve, record, create } }) => ({ list, retrieve, record, create }),
};

/** The others, each an installed package. */
export const peers: readonly Contestant[] = [jsonServer, mockoon, prism, httpMiddleware];
