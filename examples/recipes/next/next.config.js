/** Browsers reach the interface at the app's own origin. */
const rewrites = async () => [
  { source: '/api/:path*', destination: `${process.env.LIVESTREAM_URL}/:path*` },
];

// Not bundled, because bundling it has no benefit.
export default { rewrites, serverExternalPackages: ['livestream-mock'] };
