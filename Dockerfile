# The mock, and the suite that judges a backend:
#   docker build --tag livestream-mock .
#   docker run --publish 4100:4100 livestream-mock
#   docker run --volume "$PWD:/home/node" livestream-mock check --base-url URL --report report.html
FROM node:26-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts && npm run build
# For `serve --store redis://HOST`.
RUN npm install --ignore-scripts --prefix /redis "redis@$(node -p 'require("./package.json").devDependencies.redis')"

FROM node:26-slim
COPY --from=build /build/package.json /build/LICENSE /app/
COPY --from=build /build/dist /app/dist
COPY --from=build /redis/node_modules /app/node_modules
USER node
WORKDIR /home/node
EXPOSE 4100
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4100/_mock/health').then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
CMD ["serve", "--host", "0.0.0.0"]
