import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

const inMinutes = (minutes: number) => new Intl.RelativeTimeFormat("es").format(minutes, "minute");

export const es: Texts = {
  language: "es",
  languageName: "Español",
  skipToContent: "Ir al contenido",
  contact: "Contáctenos",
  tryAgain: "Intentar de nuevo",
  plan: { standard: "plan Estándar", advanced_attribution: "plan Atribución avanzada" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.es["responses:read"],
      does: "Todas las respuestas, pasadas y futuras, sin poder cambiarlas ni borrarlas.",
      personalData: "Incluye direcciones de correo, pedidos y visitas de sus clientes.",
    },
    "sources:write": {
      title: SCOPE_TITLES.es["sources:write"],
      does: "Fuentes que sus clientes pueden nombrar en su encuesta, como pódcast.",
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
    cookies: (host) => html`Permita las cookies para ${host} e inténtelo de nuevo.`,
    outOfDate: "Esta página no estaba al día. Nada ha cambiado. Revísela e inténtelo de nuevo.",
  },
  help: {
    heading: "Lo que conviene saber de las aplicaciones conectadas",
    answers: {
      app: "¿Qué es una aplicación conectada y qué lee?\nEl programa de otra empresa al que usted u otro miembro de su tienda permitió usar los datos de encuestas de la tienda.\nLee lo que usted aprobó: por lo general, el nombre, el dominio, el plan y las preguntas de la tienda, y todas las respuestas, pasadas y futuras, con las direcciones de correo, los pedidos y las visitas de sus clientes, y lo que ellos escribieron (nombres solo si los indicaron).\nNo puede modificar ni eliminar las respuestas, y nunca ve su contraseña. Con un segundo permiso puede añadir fuentes, como pódcast. Para ver sus permisos, elija la tienda en Aplicaciones conectadas.",
      paused:
        "¿Qué significa Suspendida?\nHemos detenido el acceso de la aplicación a esta tienda. No se elimina nada. Para saber el motivo, contáctenos.\nPuede desconectarla, pero nadie puede volver a aprobarla antes de que termine la suspensión. Tras una suspensión larga, quizá tenga que conectarla de nuevo.",
      "connect-again":
        "¿Por qué una aplicación está caducada o sin completar, o debo conectarla de nuevo?\nNo se usó durante mucho tiempo (normalmente 30 días), no completó la conexión, necesita más permisos o perdió el acceso, o la desconectó su tienda, la empresa de la aplicación o nosotros. Empiece en la aplicación y apruébela de nuevo. Si está suspendida, contáctenos antes.",
      plan: "¿Por qué no puedo elegir mi tienda, o por qué una aplicación dice que no tiene acceso?\nSi la tienda no está en la lista, esta cuenta no es miembro de ella: use otra cuenta o contáctenos. Si está, la página indica el motivo: la aplicación está suspendida o el plan no incluye un permiso.\nTras pasar al plan inferior, una aplicación todavía puede leer, pero no añadir fuentes. Para recuperarlo, pídanos volver al plan anterior, sin conectar de nuevo la aplicación.\nTras pasar al plan superior, conecte la aplicación de nuevo si la aprobó con el plan inferior.",
      who: "¿Quién conectó esta aplicación?\nCualquier miembro de la tienda puede conectar aplicaciones. La página de la aplicación (en Aplicaciones conectadas, elija la tienda) muestra quién la aprobó por última vez y cuándo.\nSi no conoce la aplicación, anote lo que dice la página, desconecte la aplicación y avísenos. Si figura su nombre pero no fue usted, siga también la respuesta siguiente.",
      mail: "Recibí un correo sobre un inicio de sesión, mi contraseña o una llave de acceso. ¿Qué hago?\nIgnore un enlace de contraseña que no haya pedido. No haga nada si fue usted, por ejemplo con otro navegador, en una ventana privada o después de borrar las cookies.\nSi no fue usted, elija de inmediato una contraseña nueva: así se cierran todas las sesiones. Si inicia sesión con la cuenta de otra empresa, elija Cerrar sesión en todas partes y proteja esa cuenta.\nDespués quite las llaves de acceso que no sean suyas (Llaves de acceso, en el menú bajo su nombre; si no puede, contáctenos) y desconecte las aplicaciones desconocidas.",
      remove:
        "¿Cómo quito una aplicación o anulo una aprobación para la tienda equivocada?\nAbra Aplicaciones conectadas y elija Desconectar o Quitar. La aplicación pierde el acceso de inmediato y conserva lo que ya ha leído.\nPara que lo eliminen, escriba a la dirección que la página muestra después (o nuestro correo, si no la desconectó usted); anótela, porque desaparece (si no hay, o nadie responde, contáctenos). Las fuentes que añadió la aplicación permanecen. Para la tienda correcta, empiece de nuevo en la aplicación.",
      data: "¿Quién ha visto los datos de mis clientes y cómo los elimino?\nCada aplicación a la que usted o su equipo permitió alguna vez leer respuestas pudo leerlas todas, también las antiguas. También quien tenga una clave de API de su tienda.\nContáctenos para saber qué aplicación o clave leyó cuántos datos y cuándo (normalmente en los últimos 13 meses). No registramos de qué clientes se trataba.\nSi un cliente le pide eliminar respuestas, elimínelas en su herramienta de encuestas: las aplicaciones conectadas se enteran. Pídalo usted a las caducadas, suspendidas o desconectadas (tenemos sus direcciones).",
      "lost-passkey":
        "He perdido mi llave de acceso, o me han robado el teléfono o el ordenador. ¿Qué puedo hacer?\nSi se lo robaron, contáctenos de inmediato: bloqueamos su cuenta. Quien pueda leer su correo puede elegir aquí una contraseña nueva; por eso, proteja su buzón (o la cuenta de la otra empresa con la que inicia sesión). Si todavía no hemos bloqueado su cuenta, elija después una contraseña nueva o Cerrar sesión en todas partes.\nSi solo perdió la llave, conserve su contraseña y no cierre sesión en todas partes: si lo hace, todos los navegadores piden la llave de acceso. Use otra y después quite la perdida (Llaves de acceso, en el menú bajo su nombre).\nSi no tiene otra, inicie sesión con la contraseña en un navegador en el que ya haya usado la llave. Si allí una aprobación pide la llave, cancele, elija Usar otra cuenta en el menú e inicie sesión de nuevo.\nSi era la única, contáctenos. Comprobaremos quién es usted.",
      "sign-in":
        "No puedo iniciar sesión. ¿Qué puedo hacer?\nSi inicia sesión con la cuenta de otra empresa, siga lo que dice la página; para la contraseña de esa cuenta, diríjase a esa empresa. Si su cuenta está bloqueada, contáctenos. En los demás casos, elija ¿Ha olvidado su contraseña? Si no llega ningún correo, revise la dirección y el correo no deseado, y después contáctenos. Tras demasiados intentos, espere el tiempo que indica la página.",
      left: "Alguien dejó mi empresa, o no conozco a un miembro. ¿Qué hago?\nContáctenos: le decimos quiénes son los miembros y quitamos a quien nos indique. Las aplicaciones que aprobaron siguen: desconecte las que no necesite. Pídanos reemplazar las claves de API que conozcan.",
      sold: "He vendido mi tienda, o quiero eliminarla o eliminar mi cuenta. ¿Qué hago?\nContáctenos. Antes de una venta, desconecte las aplicaciones que el comprador no vaya a conservar: seguirían leyendo, y después solo el comprador puede desconectarlas. Entonces damos acceso al comprador, retiramos el de usted y revocamos todas las claves de API.\nAntes de una eliminación, desconecte las aplicaciones y pida a cada una que elimine su copia (la página muestra después la dirección).\nSi solo elimina su cuenta, una tienda con otros miembros sigue, con sus aplicaciones. Algunos registros permanecen, sin su nombre. Las copias de seguridad lo conservan todo durante un tiempo.",
    },
    send: "Cuando nos contacte, indique su correo, la tienda y la aplicación, y el ID de la solicitud si la página lo muestra. Nunca envíe su contraseña ni un enlace.",
  },
  signIn: {
    title: "Iniciar sesión",
    heading: (app) => html`Inicie sesión para conectar ${app}`,
    lead: "Inicie sesión para gestionar las aplicaciones conectadas",
    email: "Correo electrónico",
    password: "Contraseña",
    show: "Mostrar la contraseña",
    wrong: "Correo electrónico o contraseña incorrectos.",
    paused: "Su cuenta está bloqueada.",
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
        unavailable: (provider) => html`${provider} no responde. Inténtelo de nuevo en un minuto.`,
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
      },
    },
  },
  password: {
    heading: "Elija una contraseña nueva",
    present: "Contraseña actual",
    chosen: "Contraseña nueva",
    repeated: "Repetir la contraseña nueva",
    show: "Mostrar las contraseñas",
    rule: "Al menos 15 caracteres, por ejemplo cuatro palabras sin relación. Evite su nombre, correo, tienda y el nombre de nuestro producto.",
    problem: {
      too_short: "Use al menos 15 caracteres.",
      too_long: "Use como máximo 256 caracteres.",
      blank: "La contraseña no puede tener solo espacios.",
      common: "Esta contraseña es demasiado común.",
      personal: "Contiene uno de estos nombres.",
      wrong: "La contraseña actual es incorrecta.",
      again: "Escriba de nuevo su contraseña actual.",
      same: "Esta es su contraseña actual.",
      not_repeated: "Las contraseñas nuevas no coinciden.",
    },
    change: {
      lead: "Se cerrará su sesión en los demás dispositivos.",
      submit: "Cambiar contraseña",
      done: "Contraseña cambiada",
      doneLead: "Su sesión se ha cerrado en los demás dispositivos.",
    },
    reset: { lead: "Se cerrará su sesión en todas partes.", submit: "Guardar contraseña" },
    ended: {
      title: "Este enlace ha caducado",
      lead: "Un enlace sirve una vez, por poco tiempo. Use el más reciente.",
      again: "Obtener un enlace nuevo",
    },
    forgot: {
      lead: "Le enviaremos un enlace para elegir una contraseña nueva",
      submit: "Enviar enlace",
      askUs: "Pídanos un enlace para elegir una contraseña nueva",
      notAnAddress: "Escriba un correo electrónico completo, como anna@shop.example.",
      tooMany: (minutes) =>
        `Demasiadas solicitudes. Revise su buzón y la dirección, o inténtelo de nuevo ${inMinutes(minutes)}.`,
    },
    sent: {
      title: "Revise su buzón",
      lead: (from) =>
        html`Si esta cuenta existe, un enlace de ${from} está en camino. Funciona 30 minutos.`,
      noMail: "¿Ningún correo en cinco minutos? Revise la dirección y el correo no deseado.",
      again: "Enviar de nuevo",
    },
  },
  consent: {
    title: (app) => `Conectar ${app}`,
    heading: (app, shop) => html`¿Conectar ${app} a ${shop}?`,
    yourShop: "su tienda",
    lead: (host) => html`En cualquier caso volverá a ${host}.`,
    shop: "Tienda",
    by: (publisher) => html`De ${publisher}`,
    privacyPolicy: "Política de privacidad",
    wouldAllow: "La aplicación podrá",
    notIncluded: "No incluido",
    lasts: (link, duration) =>
      html`El acceso termina cuando desconecte la aplicación en ${link} o tras ${duration} sin uso.`,
    willNever:
      "La aplicación ve el nombre, el dominio y el plan de la tienda, nunca su contraseña ni tiendas que usted no haya aprobado.",
    findShop: "Buscar una tienda por nombre o dominio",
    find: "Buscar",
    found: (found, all) => `${found === all ? "" : `${found} de `}${all} tiendas`,
    showAll: "Mostrar todas",
    renews: "Si aprueba, el acceso se renueva con los mismos permisos.",
    adds: "Permiso nuevo:",
    drops: "Permiso retirado:",
    needs: (plan) => `Requiere el ${plan}.`,
    changePlan: (plan) =>
      `La aplicación requiere el ${plan}. Pídanos el cambio de plan y conéctela de nuevo.`,
    paused: (product) => `Suspendida por ${product}.`,
    for: (shop) => html`Para ${shop}`,
    approve: "Aprobar",
    decline: "Rechazar",
    choose: "Elija una tienda.",
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
    lead: "Usted o su equipo aprobó cada una.",
    none: "Todavía no hay aplicaciones conectadas",
    howToConnect: "Para conectar una aplicación, empiece en ella.",
    permissions: "Permisos",
    at: (app, shop) => html`${app} en ${shop}`,
    approvedBy: "Última aprobación de",
    lastUsed: "Último uso",
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
    lead: "La aplicación pierde el acceso de inmediato y conserva lo que ya ha leído.",
    removal: (app, shop) => html`¿Quitar ${app} de ${shop}?`,
    removalLead: "El acceso caducó. La aplicación saldrá de la lista; conserva lo ya leído.",
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
    lead: "Una llave de acceso le protege si le roban la contraseña. La pedimos en dispositivos nuevos y antes de que una aplicación obtenga datos personales, salvo si acaba de iniciar sesión.",
    since: (date) => html`Añadida ${date}.`,
    used: (date) => html`Último uso ${date}.`,
    name: "Nombre",
    newName: "Mi llave de acceso",
    remove: "Quitar la llave de acceso",
    removesLast: "Es su única llave de acceso. Después iniciará sesión solo con la contraseña.",
    add: "Añadir una llave de acceso",
    done: { added: "Llave de acceso añadida.", removed: "Llave de acceso quitada." },
    problem: {
      name: "Escriba un nombre de 100 caracteres como máximo.",
      not_made: "No se ha podido comprobar la llave de acceso. Inténtelo de nuevo.",
    },
    proof: {
      title: "Confirme que es usted",
      byPasskey: (email) => html`Use la llave de acceso de ${email} para continuar.`,
      byPassword: (product) => `Escriba su contraseña de ${product} para continuar.`,
      bySignIn: "Inicie sesión de nuevo para continuar.",
      use: "Usar la llave de acceso",
      confirm: "Confirmar que soy yo",
      failed: "No se ha usado la llave de acceso. Inténtelo de nuevo.",
      noPasskey: "Este navegador no admite llaves de acceso o JavaScript. Use otro navegador.",
      lost: "¿No puede usar su llave de acceso?",
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
      lead: (app) => html`${app} no puede conectar tiendas por ahora. Contáctenos.`,
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
        html`Permita las cookies para ${host}, vuelva a la aplicación y conéctela de nuevo.`,
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
    requestId: "ID de la solicitud",
  },
};
