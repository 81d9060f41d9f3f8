import type { MailTexts } from "./en.ts";

export const es: MailTexts = {
  hello: (name) => `Buenos días, ${name}:`,
  helloUnknown: "Buenos días:",
  fact: {
    app: "Aplicación",
    shop: "Tienda",
    scope: "Puede",
    by: "Por",
    person: "Quién",
    device: "Dispositivo",
    address: "Dirección de red",
    time: "Fecha y hora",
  },
  us: "nosotros",
  connectedApps: "Ver las aplicaciones conectadas",
  partnerPages: "Ver las páginas de socios",
  newPassword: "Elegir una contraseña nueva",
  ifWrong: {
    app: "Si no ha sido usted, desconecte allí la aplicación y elija una contraseña nueva.",
    account: "Si no ha sido usted, elija una contraseña nueva. Después, la sesión quedará cerrada en todas partes.",
    appOnly: "Si esto no debe ser así, desconecte allí la aplicación.",
    accountElsewhere:
      "Si no ha sido usted, cierre la sesión en todas partes en la página de sus aplicaciones conectadas y proteja la cuenta con la que inicia sesión.",
  },
  footer: (product, host) =>
    `${product} envía este correo automáticamente. Todos sus enlaces llevan a ${host}. Nunca pedimos su contraseña por correo.`,
  new_account: {
    subject: (f) => `Su cuenta de ${f.product}`,
    lead: (f) =>
      `${f.product} ha creado una cuenta para ${f.email}. Con este enlace establece la contraseña y después puede iniciar sesión.`,
    action: "Establecer la contraseña",
    note: "El enlace funciona una vez y durante siete días. Después, pida otro en «¿Ha olvidado su contraseña?», en la página de inicio de sesión. Si no sabe para qué es esta cuenta, no tiene que hacer nada.",
  },
  reset_password: {
    subject: () => "Elegir una contraseña nueva",
    lead: (f) => `Con este enlace puede elegir una contraseña nueva para su cuenta ${f.email}.`,
    action: "Elegir una contraseña",
    note: "El enlace funciona una sola vez, durante 30 minutos. Si no lo ha pedido, no tiene que hacer nada: su contraseña sigue siendo la misma.",
  },
  app_connected: {
    subject: (f) => `${f.app} está conectada con ${f.shop}`,
    lead: (f) => `La aplicación ${f.app} tiene ahora acceso a ${f.shop}. Puede terminarlo en cualquier momento.`,
  },
  app_widened: {
    subject: (f) => `${f.app} puede hacer más con ${f.shop}`,
    lead: (f) => `La aplicación ${f.app} ha recibido más permisos sobre ${f.shop}. Lo nuevo es:`,
  },
  app_disconnected: {
    subject: (f) => `${f.app} ya no está conectada con ${f.shop}`,
    lead: (f) =>
      f.isReplay
        ? `Por seguridad hemos desconectado la aplicación ${f.app} de ${f.shop}: ha enviado otra vez un código ya usado, que puede haberse filtrado. Vuelva a conectarla si la usa.`
        : f.by === null
          ? `Hemos desconectado la aplicación ${f.app} de ${f.shop}. Ya no tiene acceso.`
          : `La aplicación ${f.app} ha terminado su conexión con ${f.shop}. Ya no tiene acceso.`,
  },
  member_added: {
    subject: (f) => `${f.person} ya puede conectar aplicaciones con ${f.shop}`,
    lead: (f) => `${f.person} pertenece ahora a ${f.shop}, y puede conectar y desconectar aplicaciones.`,
  },
  member_removed: {
    subject: (f) => `${f.person} ya no pertenece a ${f.shop}`,
    lead: (f) =>
      `${f.person} ya no puede abrir las páginas de ${f.shop}. Las aplicaciones conectadas siguen conectadas.`,
  },
  password_changed: {
    subject: () => "Su contraseña ha cambiado",
    lead: (f) => `La cuenta ${f.email} tiene una contraseña nueva.`,
  },
  second_factor_changed: {
    subject: () => "La seguridad de su cuenta ha cambiado",
    lead: (f) => `Esto ha cambiado en la cuenta ${f.email}:`,
    change: {
      passkey_added: "Se ha añadido una llave de acceso.",
      passkey_removed: "Se ha quitado una llave de acceso.",
      removed_by_us: "Hemos quitado todas las llaves de acceso, porque alguien perdió una y nos lo pidió.",
    },
  },
  new_device: {
    subject: () => "Nuevo inicio de sesión en su cuenta",
    lead: (f) => `Alguien ha iniciado sesión en la cuenta ${f.email} desde un dispositivo que no conocíamos.`,
  },
  client_secret_made: {
    subject: (f) => `${f.app} tiene un secreto nuevo`,
    lead: (f) =>
      `La aplicación ${f.app} tiene un secreto de cliente nuevo. Si nadie de ustedes lo ha creado, termínelo en las páginas de socios.`,
  },
  client_secret_ended: {
    subject: (f) => `Se ha terminado un secreto de ${f.app}`,
    lead: (f) =>
      `El secreto de cliente anterior de la aplicación ${f.app} se ha terminado antes de tiempo. Las llamadas que lo usan se rechazan.`,
  },
  client_member_added: {
    subject: (f) => `${f.person} ya puede abrir las páginas de socios de ${f.app}`,
    lead: (f) => `${f.person} puede abrir las páginas de socios de la aplicación ${f.app} a partir de ahora.`,
  },
  client_member_removed: {
    subject: (f) => `${f.person} ya no puede abrir las páginas de socios de ${f.app}`,
    lead: (f) =>
      `${f.person} ya no puede abrir las páginas de socios de la aplicación ${f.app}. Los secretos que esta persona ha visto siguen funcionando.`,
  },
  test: {
    subject: (f) => `${f.product} puede enviar correos`,
    lead: () => "Este correo se ha enviado como prueba. No tiene que hacer nada.",
  },
};
