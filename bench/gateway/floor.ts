import { Api } from "grammy";

const [apiRoot = "", token = ""] = process.argv.slice(2);
const api = new Api(token, { apiRoot });
await api.getMe();
await api.getUpdates({ timeout: 30 });
