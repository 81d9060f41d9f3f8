import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/** One file for all pages, so that a translator reads the language in one piece. */
const inMinutes = (minutes: number) =>
  minutes === 1 ? "dentro de un minuto" : `dentro de ${minutes} minutos`;

export const es: Texts = {
  language: "es",
  languageName: "Español",
  skipToContent: "Ir al contenido",
  contact: "Contáctenos",
  back: "Atrás",
  tryAgain: "Intentar de nuevo",
  plan: { standard: "plan Estándar", advanced_attribution: "plan Atribución avanzada" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.es["responses:read"],
      does: "Todas las respuestas, pasadas y futuras. No puede cambiarlas ni borrarlas.",
      personalData: "Incluye los correos y los pedidos de sus clientes.",
    },
    "sources:write": {
      title: SCOPE_TITLES.es["sources:write"],
      does: "Por ejemplo, pódcast o canales que sus clientes pueden nombrar.",
      personalData: null,
    },
  },
  frame: {
    language: "Idioma",
    help: "Ayuda",
    privacy: "Privacidad",
    terms: "Condiciones",
    account: "Cuenta",
    partner: "Páginas de socios",
    docs: "Documentación",
    error: "Error:",
    outOfDate: "Esta página no estaba actualizada. No se ha cambiado nada. Inténtelo de nuevo.",
  },
  help: {
    heading: "Lo que conviene saber de las aplicaciones conectadas",
    answers: [
      "¿Qué es una aplicación conectada?",
      "El programa de otra empresa al que usted permitió usar los datos de encuestas de una tienda.",
      "¿Qué lee?",
      "Lo que usted aprobó, por lo general todas las respuestas de la tienda, con los correos y los pedidos de sus clientes. Los detalles, en Aplicaciones conectadas, indican los permisos.",
      "¿Qué significa Suspendida?",
      "Hemos detenido el acceso de la aplicación a esta tienda. No puede leer nada hasta que termine la suspensión.",
      "¿Cómo quito una aplicación?",
      "Abra Aplicaciones conectadas y elija Desconectar. La aplicación pierde el acceso de inmediato y conserva lo que ya ha leído.",
      "¿Quién ha visto los datos de mis clientes?",
      "Cada aplicación de la lista, desde su aprobación, y las que usted ha desconectado. Para eliminar datos, escriba a la empresa de la aplicación.",
    ],
  },
  signIn: {
    title: "Iniciar sesión",
    heading: (app) => html`Inicie sesión para conectar ${app}`,
    lead: "Inicie sesión para gestionar las aplicaciones conectadas",
    email: "Correo electrónico",
    password: "Contraseña",
    wrong: "Correo electrónico o contraseña incorrectos.",
    paused: "Su cuenta está suspendida.",
    tooManyAttempts: (minutes) => `Demasiados intentos. Inténtelo de nuevo ${inMinutes(minutes)}.`,
    sessionEnded: "Su sesión ha caducado. Inicie sesión de nuevo.",
    signedOut: "Ha cerrado la sesión.",
    passwordChanged: "Su contraseña nueva está guardada. Inicie sesión con ella.",
    forgot: "¿Ha olvidado su contraseña?",
    safety: (product, host) =>
      html`Está en ${host}. Ninguna aplicación necesita su contraseña de ${product}.`,
    openId: {
      button: (provider) => html`Continuar con ${provider}`,
      another: (provider) => html`Usar otra cuenta de ${provider}`,
      back: "Volver al inicio de sesión",
      failed: "No ha iniciado sesión",
      problem: {
        unavailable: (provider) =>
          html`${provider} no responde. Inténtelo de nuevo dentro de un minuto.`,
        misconfigured: (provider) =>
          html`El inicio de sesión con ${provider} no está bien configurado. Contáctenos.`,
        cancelled: (provider) => html`Ha cancelado el inicio de sesión en ${provider}.`,
        ended: () => html`Este inicio de sesión ya se usó, caducó o empezó en otro navegador.`,
        no_account: (_provider, email) => html`${email} no tiene cuenta aquí. Pídanos una.`,
        not_connected: (provider) =>
          html`Su cuenta de ${provider} aún no está conectada aquí. Inténtelo dentro de unos minutos. Si no funciona, contáctenos.`,
        unverified: (provider) =>
          html`${provider} no ha confirmado su correo electrónico. Verifíquelo allí.`,
        joined_with_another: (provider, email) =>
          html`${email} está vinculado a otra cuenta de ${provider}.`,
        paused: () => html`Su cuenta está suspendida. Contáctenos.`,
      },
    },
  },
  password: {
    heading: "Elija una contraseña nueva",
    present: "Contraseña actual",
    chosen: "Contraseña nueva",
    repeated: "Repetir la contraseña nueva",
    rule: "Al menos 15 caracteres, por ejemplo cuatro palabras sin relación. Evite su nombre, correo y tienda.",
    problem: {
      too_short: "Use al menos 15 caracteres.",
      too_long: "Use como máximo 256 caracteres.",
      blank: "No use solo espacios.",
      common: "Esta contraseña es demasiado común.",
      personal: "No use un nombre ni un correo electrónico.",
      wrong: "La contraseña actual es incorrecta.",
      same: "Esta es su contraseña actual.",
      not_repeated: "Las contraseñas nuevas no coinciden.",
    },
    change: {
      lead: "Se cerrará su sesión en todos los demás sitios.",
      submit: "Cambiar contraseña",
      done: "Contraseña cambiada.",
    },
    reset: { lead: "Se cerrará su sesión en todas partes.", submit: "Guardar contraseña" },
    ended: {
      title: "Este enlace ha caducado",
      lead: "Un enlace sirve una vez, por poco tiempo. Use el más reciente.",
    },
    forgot: {
      lead: "Le enviaremos un enlace para elegir una contraseña nueva",
      submit: "Enviar enlace",
      askUs: "Pídanos un enlace para elegir una contraseña nueva",
      notAnAddress: "Escriba un correo electrónico completo, como anna@shop.example.",
      tooMany: (minutes) =>
        `Hemos enviado varios correos. Mire en su buzón o inténtelo ${inMinutes(minutes)}.`,
    },
    sent: {
      title: "Mire en su buzón",
      lead: (from) =>
        html`Si esta cuenta existe, un enlace de ${from} está en camino. Funciona 30 minutos.`,
      noMail: "¿Ningún correo en cinco minutos? Mire en el correo no deseado.",
      again: "Enviar de nuevo",
    },
  },
  consent: {
    title: (app) => `Conectar ${app}`,
    heading: (app) => html`¿Conectar ${app} a su tienda?`,
    lead: (host) => html`En cualquier caso volverá a ${host}.`,
    shop: "Tienda",
    by: (publisher) => html`De ${publisher}`,
    privacyPolicy: "Política de privacidad",
    wouldAllow: "La aplicación podrá",
    lasts: "El acceso dura hasta que la desconecte",
    ending: (link, duration) =>
      html`En cualquier momento en ${link}. Caduca tras ${duration} sin uso.`,
    willNever: "La aplicación nunca ve su contraseña, otras tiendas ni nada que no figure aquí.",
    findShop: "Buscar una tienda por nombre o dominio",
    find: "Buscar",
    found: (found, all) => `${found === all ? "" : `${found} de `}${all} tiendas`,
    showAll: "Mostrar todas",
    renews: "Si aprueba, el acceso se renueva con los mismos permisos.",
    adds: "Si aprueba, se añade:",
    drops: "Si aprueba, se retira:",
    unavailableMeans: "No disponible en el plan de esta tienda.",
    paused: (product) => `Suspendida por ${product}.`,
    approve: "Aprobar",
    decline: "Rechazar",
    chooseFirst: "Elija primero una tienda.",
    notOffered: "Esta tienda no se puede conectar. Elija otra.",
    changed: "Algo ha cambiado. Revíselo antes de aprobar.",
    noShops: "No hay tiendas en su cuenta",
    noShopsLead: "Pídanos que añadamos su tienda o use otra cuenta.",
    cannot: (app) => html`${app} no se puede conectar`,
    backTo: (app) => html`Volver a ${app}`,
  },
  connectedApps: {
    title: "Aplicaciones conectadas",
    heading: "Aplicaciones conectadas a sus tiendas",
    lead: "Usted o su equipo aprobó cada una. La desconexión es inmediata.",
    none: "Todavía no hay aplicaciones conectadas",
    howToConnect: "Para conectar una aplicación, empiece en ella.",
    details: "Ver detalles",
    permissions: "Permisos",
    at: (app, shop) => html`${app} en ${shop}`,
    since: "Conectada desde",
    approvedBy: "Última aprobación de",
    lastRefreshed: "Última renovación",
    refreshed: (when) => html`Renovada ${when}`,
    never: "Sin usar todavía",
    expires: "Caduca si no se usa",
    status: {
      connected: "Conectada",
      approved: "Sin completar",
      expired: "Caducada",
      disabled: "Suspendida",
      revoked: "Desconectada",
    },
    disconnect: "Desconectar",
    search: "Buscar una tienda o una aplicación",
    earlier: "Anterior",
    later: "Siguiente",
    pageOf: (page, pages) => `Página ${page} de ${pages}`,
    deletion: (contact) => html`Para que se borren sus datos, escriba a ${contact}.`,
    disconnected: (app, shop) => html`${app} ya no tiene acceso a ${shop}.`,
  },
  disconnect: {
    heading: (app, shop) => html`¿Desconectar ${app} de ${shop}?`,
    lead: "Pierde el acceso de inmediato y conserva lo que ya ha leído. Puede volver a conectarla más adelante.",
    removal: (app, shop) => html`¿Quitar ${app} de ${shop}?`,
    removalLead:
      "Desde que caducó no tiene acceso, y conserva lo que ha leído. Podrá volver a conectarla más tarde.",
    remove: "Quitar",
    keep: "Cancelar",
  },
  account: {
    useAnother: "Usar otra cuenta",
    signOut: "Cerrar sesión",
    signOutEverywhere: "Cerrar sesión en todas partes",
  },
  passkeys: {
    title: "Llaves de acceso",
    heading: "Una llave de acceso le protege si le roban la contraseña",
    lead: "La pedimos en dispositivos nuevos y antes de que una aplicación obtenga datos personales.",
    since: (date) => html`Añadida ${date}.`,
    used: (date) => html`Último uso ${date}.`,
    name: "Nombre",
    newName: "Mi llave de acceso",
    remove: "Eliminar la llave de acceso",
    removesLast: "Es su única llave de acceso. Después bastará la contraseña.",
    add: "Añadir una llave de acceso",
    done: { added: "Llave de acceso añadida.", removed: "Llave de acceso eliminada." },
    problem: {
      name: "Escriba un nombre de 100 caracteres como máximo.",
      not_made: "No se ha podido comprobar la llave de acceso. Inténtelo de nuevo.",
    },
    proof: {
      title: "Confirme que es usted",
      byPasskey: (email) => html`Use la llave de acceso de ${email} para continuar.`,
      byPassword: (email) => html`Escriba la contraseña de ${email} para continuar.`,
      use: "Usar la llave de acceso",
      confirm: "Confirmar que soy yo",
      failed: "No se ha usado la llave de acceso. Inténtelo de nuevo.",
      noPasskey:
        "Este navegador no admite llaves de acceso, o JavaScript está desactivado. Use otro navegador.",
      lost: "¿Ha perdido su llave de acceso?",
      wrong: "Esta llave de acceso no sirve aquí. Inténtelo de nuevo.",
    },
  },
  failure: {
    invalid_link: {
      title: "Este enlace no funciona",
      lead: (app) =>
        html`${app} ha enviado una solicitud no válida. Inténtelo de nuevo o contacte con su desarrollador.`,
    },
    client_disabled: {
      title: "Esta aplicación no se puede conectar",
      lead: (app) =>
        html`${app} no puede conectar tiendas por ahora. Contacte con su desarrollador.`,
    },
    already_connected: { title: "Ya está conectada", lead: "Puede volver a la aplicación." },
    already_approved: {
      title: "Ya está aprobada",
      lead: "Vuelva a la aplicación. Si no está conectada, empiece allí de nuevo.",
    },
    ended: {
      title: "Esta solicitud ha terminado",
      lead: "Ya se respondió, caducó o empezó en otro navegador. Empiece de nuevo en la aplicación.",
    },
    no_cookies: {
      title: "Las cookies están bloqueadas",
      lead: (_app, host) =>
        html`Permita las cookies para ${host} y empiece de nuevo en el mismo navegador.`,
    },
    bad_request: {
      title: "Solicitud no aceptada",
      lead: "No se ha cambiado nada. Vuelva atrás e inténtelo de nuevo.",
    },
    not_found: { title: "Página no encontrada", lead: "Compruebe la dirección." },
    too_many_requests: {
      title: "Demasiadas solicitudes",
      lead: "Su red ha enviado muchas. Espere un minuto.",
    },
    unavailable: {
      title: "Inténtelo de nuevo en un momento",
      lead: "No podemos responder ahora. Espere unos segundos e inténtelo de nuevo.",
    },
    unexpected: { title: "Algo ha fallado", lead: "El error es nuestro. Inténtelo de nuevo." },
  },
  failurePage: {
    unnamedApp: "La aplicación",
    forDevelopers: "Para desarrolladores",
    requestId: "Solicitud",
  },
};
